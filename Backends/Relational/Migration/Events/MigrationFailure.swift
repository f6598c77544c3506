import UndercroftCore

/// Why a migration went no further; what had failed was rolled back.
public struct MigrationFailure: Error, Sendable, CustomStringConvertible {
  /// The step that failed.
  public let move: MigrationMove
  /// What it failed of.
  public let cause: any Error
  /// The version that the database had before the first step.
  public let start: String
  /// The copy of what the database was then; `nil` where none was made.
  public let snapshot: MigrationSnapshot?

  /// Whether steps before the failing one, or slices of it, are kept.
  public let hasKeptSteps: Bool
  /// Where the file was when the step began, and so is since: until others change it.
  let state: MigrationState

  public var description: String {
    "cannot migrate from \(quoted(move.from)) to \(quoted(move.to)): \(cause)"
  }
}
