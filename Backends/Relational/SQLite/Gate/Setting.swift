import CSQLite
import UndercroftCore

/// What a `PRAGMA` of the caller's sets, and whether it may: not where SQLite would ignore it without a word, or where it would harm the engine.
struct Setting {
  private let name: String
  /// `nil` when it only asks.
  private let value: String?

  init(_ name: String, _ value: String) {
    self.name = name.lowercased()
    self.value = value.isEmpty ? nil : value.lowercased()
  }

  /// Whether statements that are compiled already would do something else afterwards.
  var changesMeaning: Bool {
    value != nil && (name == "foreign_keys" || name == "recursive_triggers")
  }

  /// As SQLite takes it. (`sqlite3GetBoolean`)
  private var isOn: Bool {
    guard let value else { return false }
    return ["on", "yes", "true"].contains(value) || (Int(value) ?? 0) != 0
  }

  func refusal(on connection: OpaquePointer) -> StorageError? {
    let isInTransaction = sqlite3_get_autocommit(connection) == 0
    switch (name, value) {
    case ("foreign_keys", .some) where isInTransaction:
      if (undercroft_sqlite_foreign_keys(connection, -1) != 0) == isOn { return nil }
      return error(
        "SQLite would ignore it inside a transaction",
        cure: "set it in writeWithoutTransaction { db in … }, before db.transaction { db in … }")
    case ("wal_checkpoint", _) where isInTransaction:
      return error(
        "it is inside a transaction", cure: "call database.checkpoint(_:) outside of read and write"
      )
    case ("locking_mode", "exclusive"):
      return error(
        "the readers of this very database would be locked out for good",
        cure: "call write(.exclusive) { db in … }")
    case ("busy_timeout", .some):
      return error(
        "the engine waits for others in a way of its own",
        cure: "open the database with another DatabaseOptions.lockTimeout")
    case ("wal_autocheckpoint", .some):
      return error(
        "the engine moves the log into the file in the background",
        cure: "leave it out; database.checkpoint(_:) moves it at once")
    case ("writable_schema", .some) where isOn:
      return error(
        "SQL that could damage the file is refused, and SQLite would ignore it",
        cure: "change the schema with CREATE, ALTER and DROP")
    default: return nil
    }
  }

  private func error(_ reason: String, cure: String) -> StorageError {
    let assignment = value.map { " = \($0)" } ?? ""
    return .sqliteMisuse("cannot run PRAGMA \(name)\(assignment): \(reason)", cure: cure)
  }
}
