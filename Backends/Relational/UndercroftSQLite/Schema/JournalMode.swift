/// The journal that protects a database from a crash during a commit. (`PRAGMA journal_mode`)
public enum JournalMode: String, Sendable, CaseIterable {
  /// The old pages are stored in a journal beside the file.
  ///
  /// The journal is removed at the end of a transaction.
  case delete = "delete"
  /// The old pages are stored in a journal beside the file.
  ///
  /// The journal is emptied at the end of a transaction.
  case truncate = "truncate"
  /// The old pages are stored in a journal beside the file.
  ///
  /// The header of the journal is overwritten at the end of a transaction.
  case persist = "persist"
  /// The old pages are stored in memory, which is safe only for an in-memory database.
  case memory = "memory"
  /// The new pages are stored in a write-ahead log beside the file,
  /// so that readers and a writer do not wait for each other.
  case writeAheadLog = "wal"
  /// No journal is written, so a crash can damage the file.
  case off = "off"
}
