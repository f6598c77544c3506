import UndercroftCore
public import UndercroftFoundation

/// The result of a migration.
public enum MigrationOutcome: Sendable, CustomStringConvertible {
  /// The database had the requested version already, and nothing was done.
  case current(version: String)
  /// The database was new, and received the schema of the version.
  case created(version: String)
  /// The database was migrated from one version to another, by this process or, in part, by other
  /// processes that ran the same migration.
  ///
  /// - Parameter snapshot: the copy of the database before the
  ///   migration, or `nil` if there is none.
  case migrated(from: String, to: String, snapshot: MigrationSnapshot?)
  /// A step of the migration failed, and the database is open for reading only.
  ///
  /// The database has the state that it had before the first step of the migration.
  case readOnly(MigrationFailure)
  /// A step of the migration failed, and the database was recreated with the newest schema.
  ///
  /// The file at `preserved` contains the old database.
  case recreated(MigrationFailure, preserved: URL)

  public var description: String {
    switch self {
    case .current(let version): return "at \(version): nothing was done"
    case .created(let version): return "new: created at version \(version)"
    case .migrated(let from, let to, let snapshot):
      let suffix = snapshot.map { ", snapshot \(quoted($0.location.path))" } ?? ""
      return "migrated from \(from) to \(to)\(suffix)"
    case .readOnly(let failure): return "opened for reading only: \(failure)"
    case .recreated(let failure, let preserved):
      return "recreated, the old file preserved as \(quoted(preserved.path)): \(failure)"
    }
  }
}

/// The reaction to a failed migration.
///
/// The failing step is already rolled back.
public enum MigrationFallback: Sendable, Hashable {
  /// Opening the database fails.
  ///
  /// Steps before the failing one remain committed. When the database is opened again, the
  /// migration continues with the failing step.
  case fail
  /// The database is restored from the snapshot to its state before the first step, and opening the
  /// database fails.
  case restoreSnapshot
  /// The database is restored as with ``restoreSnapshot``, and is opened for reading only.
  case openReadOnly
  /// The old database is copied to a file beside it, and the database
  /// is recreated with the newest schema.
  case recreate
}
