import Synchronization

/// That the one who is told of the progress of a step wants it to end, whatever the step makes of the error.
final class MigrationEnd: Sendable {
  private let wish = Mutex<(any Error)?>(nil)

  /// Why; `nil` when nobody wants it to.
  var cause: (any Error)? { wish.withLock { $0 } }

  /// Remembers the first one.
  func wish(_ cause: any Error) { wish.withLock { $0 = $0 ?? cause } }
}
