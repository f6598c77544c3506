/// What is done when a migration has failed; the failing step was rolled back before.
public enum MigrationFallback: Sendable, Hashable {
  /// The opening fails. Steps before the failing one stay, and the next opening goes on there.
  case fail
  /// The database is put back to what it was before the first step, by the snapshot, and the opening fails.
  case restoreSnapshot
  /// The database is put back likewise, and opened for reading alone.
  case openReadOnly
  /// What the database was is kept in a file beside it, and it begins anew with the newest schema.
  case startAfresh
}
