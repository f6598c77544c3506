import Synchronization

/// Records that the progress handler asked to end a step, even if the step swallows the error.
final class StepCancellation: Sendable {
  private let wish = Mutex<(any Error)?>(nil)

  /// The error of the progress handler, or `nil` if it has not asked to end the step.
  var cause: (any Error)? { wish.withLock { $0 } }

  /// Records the error, unless one is recorded already.
  func request(_ cause: any Error) { wish.withLock { $0 = $0 ?? cause } }
}
