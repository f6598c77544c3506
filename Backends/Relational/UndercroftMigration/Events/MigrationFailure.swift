import UndercroftCore

/// The reason why a migration stopped.
///
/// The failing step has been rolled back.
public struct MigrationFailure: Error, Sendable, CustomStringConvertible {
  /// The step that failed.
  public let transition: MigrationPlan.Transition
  /// The error that the step or a check after it threw.
  public let cause: any Error
  /// The version of the database before the first step.
  public let start: String
  /// The snapshot of the database before the first step, or `nil` if there is none.
  public let snapshot: MigrationSnapshot?

  /// Whether earlier steps, or slices of the failing step, are committed.
  public let hasCommittedSteps: Bool
  /// The state of the file when the failing step began.
  ///
  /// The rollback restores this state, and the file remains in it until another connection changes
  /// the file.
  let state: MigrationState

  public var description: String {
    "cannot migrate from \(quoted(transition.from)) to \(quoted(transition.to)): \(cause)"
  }
}
