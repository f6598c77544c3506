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
  /// The changes that the schema of the file already needed before the failed step ran, or `nil` if
  /// no change is known.
  ///
  /// With these changes, the file would have the schema of its version. The value
  /// is also `nil` if that schema cannot be determined. If there are changes, the
  /// failed step may not be the reason: an earlier step was changed after it had
  /// run on this file, or another program has changed the schema of the file.
  public let earlierDifference: SchemaDifference?
  /// The state of the file when the failing step began.
  ///
  /// The rollback restores this state, and the file remains in it until another connection changes
  /// the file.
  let state: MigrationState

  public var description: String {
    "cannot migrate from \(quoted(transition.from)) to \(quoted(transition.to)): "
      + StorageError.reason(of: cause) + (earlierDifference.map(explanation) ?? "")
  }

  private func explanation(of difference: SchemaDifference) -> String {
    let version = quoted(transition.from)
    let reason =
      state.adoption.map { adoption in
        """
        the MigrationAdoption \(quoted(adoption)) returned the version \(version); let the \
        adoption return the version whose schema the file has, or let the step to \(version) \
        create the schema of the file
        """
      } ?? """
        the step to \(version) or an earlier step was changed after its release, or another \
        program changed the file; restore the released step, and make the change in a new step at \
        the end
        """
    return """
      ; before this step, the file already needed these changes to have the schema of \(version):
      \(difference)
      \(reason)
      """
  }
}
