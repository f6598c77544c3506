import CSQLite
import UndercroftCore

/// A `PRAGMA` statement of the caller, and the rules by which the engine refuses such a statement.
///
/// A `PRAGMA` is refused if SQLite would ignore the statement silently, or if its effect would
/// conflict with the connection pool, the journal mode, the busy handler or the checkpointer of
/// this library.
struct PragmaSetting {
  private let name: String
  /// The value to set, possibly empty, or `nil` if the statement only reads the setting.
  private let value: String?

  init(_ name: String, _ value: String?) {
    self.name = name.folded.text
    self.value = value?.folded.text
  }

  /// Whether the statement only reads the journal mode.
  ///
  /// `PRAGMA journal_mode` is the only reading `PRAGMA` that `sqlite3_stmt_readonly` reports as
  /// writing.
  var onlyReadsJournalMode: Bool { name == "journal_mode" && value == nil }

  /// Whether this `PRAGMA` changes the effect of statements that are already compiled.
  var changesMeaning: Bool {
    value != nil && (name == "foreign_keys" || name == "recursive_triggers")
  }

  func refusal(on connection: OpaquePointer, isSettingUp: Bool) -> StorageError? {
    let isInTransaction = sqlite3_get_autocommit(connection) == 0
    switch (name, value) {
    case ("foreign_keys", let value?) where isInTransaction:
      if (undercroft_sqlite_foreign_keys(connection, -1) != 0) == Self.isOn(value) { return nil }
      return error(
        "SQLite ignores this setting inside a transaction",
        suggestion:
          "run the PRAGMA in writeWithoutTransaction { db in … }, before db.transaction { … }")
    case ("wal_checkpoint", _) where isInTransaction:
      return error(
        "SQLite cannot checkpoint inside a transaction",
        suggestion: "call database.checkpoint(_:) outside of read and write"
      )
    case ("journal_mode", let value?): return refusal(ofJournal: value, on: connection)
    case (_, let value?): return refusal(of: value, isSettingUp: isSettingUp)
    default: return nil
    }
  }

  private func refusal(of value: String, isSettingUp: Bool) -> StorageError? {
    switch name {
    case "locking_mode" where value == "exclusive":
      error(
        "the setting would prevent all other connections from reading",
        suggestion: "call write(lock: .exclusive) { db in … }")
    case "busy_timeout":
      error(
        "the setting would replace the busy handler that Undercroft has installed",
        suggestion: "open the database with another DatabaseOptions.lockTimeout")
    case "wal_autocheckpoint":
      error(
        "Undercroft checkpoints the write-ahead log in the background",
        suggestion:
          "remove the PRAGMA; to checkpoint the log immediately, call database.checkpoint(_:)")
    case "writable_schema" where Self.isOn(value):
      error(
        "SQLite ignores this setting, because Undercroft sets SQLITE_DBCONFIG_DEFENSIVE",
        suggestion: "change the schema with CREATE, ALTER and DROP")
    case "query_only" where Self.isOn(value):
      error(
        "the setting would prevent the writer connection from writing",
        suggestion: "call read { db in … }, or open the database with DatabaseOptions.isReadOnly")
    case _ where isSettingUp: nil
    case "synchronous":
      error(
        Self.concernsOne,
        suggestion: """
          open the database with another DatabaseOptions.durability, or run the PRAGMA in \
          DatabaseOptions.setUp
          """)
    case "cache_size":
      error(
        Self.concernsOne,
        suggestion: """
          open the database with another DatabaseOptions.pageCacheByteCount, or run the PRAGMA in \
          DatabaseOptions.setUp
          """)
    case _ where Self.settingsOfConnection.contains(name):
      error(Self.concernsOne, suggestion: "run the PRAGMA in DatabaseOptions.setUp")
    default: nil
    }
  }

  /// Returns the error for setting the journal mode to `value`, or `nil` if this mode is allowed.
  ///
  /// SQLite treats an unknown mode as a request for the current mode.
  private func refusal(ofJournal value: String, on connection: OpaquePointer) -> StorageError? {
    guard let mode = JournalMode(rawValue: value), mode != .writeAheadLog else { return nil }
    let file = sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
    if file.isEmpty, mode == .memory { return nil }
    return error(
      "Undercroft requires the current journal mode, which is a write-ahead log (WAL) for a file",
      suggestion: "remove the PRAGMA; database.vacuum(into:) creates a copy that is not in WAL mode"
    )
  }

  /// The error for compiling this statement without running it, or `nil` if compiling the statement
  /// has no effect.
  ///
  /// SQLite applies some settings when it compiles the statement.
  var inspectionRefusal: StorageError? {
    guard value != nil else { return nil }
    return .sqliteMisuse(
      """
      cannot compile `\(text)` without running it: SQLite may apply the setting when it compiles \
      the statement
      """,
      suggestion: "run the PRAGMA, or remove its value")
  }

  private func error(_ reason: String, suggestion: String) -> StorageError {
    .sqliteMisuse("cannot run `\(text)`: \(reason)", suggestion: suggestion)
  }

  private var text: String { "PRAGMA \(name)" + (value.map { " = \($0)" } ?? "") }

  private static let concernsOne = "the setting would apply to only one connection of the pool"
}
