package import Dispatch
package import Testing

extension Duration {
  /// The time limit of a wait that only prevents an endless wait.
  ///
  /// No test may depend on this limit: on a busy machine, a thread or task can wait for most of the
  /// other tests.
  package static let hangLimit: Duration = .seconds(600)
}

extension DispatchTime {
  /// The deadline of a wait that begins now and is limited by `Duration.hangLimit`.
  package static var hangLimit: DispatchTime { .now() + .seconds(600) }
}

extension TimeLimitTrait.Duration {
  /// The limit of a test that would run endlessly if it failed.
  ///
  /// The limit exceeds `Duration.hangLimit`, so that a test reports its own failed wait first.
  package static var hangLimit: Self { .minutes(15) }
}
