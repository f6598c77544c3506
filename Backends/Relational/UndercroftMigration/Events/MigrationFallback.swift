/// The reaction to a failed migration.
///
/// The failing step has been rolled back before.
public enum MigrationFallback: Sendable, Hashable {
  /// The opening fails.
  ///
  /// Steps before the failing one remain, and the next opening continues from there.
  case fail
  /// The database is restored from the snapshot to its state before
  /// the first step, and the opening fails.
  case restoreSnapshot
  /// The database is restored as with ``restoreSnapshot``, and is opened for reading only.
  case openReadOnly
  /// The old database is copied to a file beside it, and the database
  /// is recreated with the newest schema.
  case recreate
}
