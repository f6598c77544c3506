/// How a database survives a crash in the middle of a commit. (`PRAGMA journal_mode`)
public enum JournalMode: String, Sendable, CaseIterable {
  /// The old pages are kept beside the file, and the journal is removed at the end.
  case delete
  /// The same; the journal is emptied.
  case truncate
  /// The same; the journal's header is overwritten.
  case persist
  /// The old pages are kept in memory: right for a database in memory alone.
  case memory
  /// The new pages are kept beside the file, so that readers and a writer do not wait for each other.
  case writeAheadLog = "wal"
  /// Nothing is kept.
  case off
}
