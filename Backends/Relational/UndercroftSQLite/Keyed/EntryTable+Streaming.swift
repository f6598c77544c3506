import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// Reading the entries one by one, for stores that do not fit into memory.
extension EntryTable {
  /// Returns the number of entries in the key-value table.
  static func count(in connection: Connection) throws(StorageError) -> Int {
    Int(clamping: try connection.integer("SELECT count(*) FROM undercroft_entry") ?? 0)
  }

  /// Passes each entry whose name begins with `prefix` to `body`, in the order of the bytes of the
  /// names, until `body` returns `false`.
  static func forEachEntry(
    _ prefix: String, in connection: Connection, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    // The primary key has this order, so that no row is sorted.
    let sql: SQL = """
      SELECT name, length(value) FROM undercroft_entry
      WHERE name >= ?1 AND name < ?2 ORDER BY name
      """
    try connection.prepare(sql) { statement in
      try bind(prefix, to: statement)
      try statement.forEachUntil { row in
        try body(InspectionEntry(name: try row[0], byteCount: try row[1])) ? .continue : .stop
      }
    }
  }

  /// Passes the name and the value of each entry whose name begins with `prefix` to `body`, until
  /// `body` returns `false`.
  static func forEachValue(
    _ prefix: String, in connection: Connection,
    _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    let sql: SQL = "SELECT name, value FROM undercroft_entry WHERE name >= ?1 AND name < ?2"
    try connection.prepare(sql) { statement in
      try bind(prefix, to: statement)
      try statement.forEachUntil { row in
        try body(try row[0], try row[1]) ? .continue : .stop
      }
    }
  }
}
