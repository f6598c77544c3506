import UndercroftCore
import UndercroftFileSystem
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
    try connection.prepare(valuesSQL) { statement in
      try bind(prefix, to: statement)
      try statement.forEachUntil { row in
        try body(try row[0], try row[1]) ? .continue : .stop
      }
    }
  }

  /// Passes the name of each entry whose name begins with `prefix` to `body`, with the value if it
  /// fulfils `filter`, until `body` returns `false`.
  ///
  /// The other values are not copied.
  static func forEachName(
    _ prefix: String, matching filter: ValueFilter, in connection: Connection,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    var searcher = ByteSearcher(filter.pattern)
    try connection.prepare(valuesSQL) { statement in
      try bind(prefix, to: statement)
      try statement.forEachUntil { row in
        var bytes: Data?
        if row.mayFulfil(filter, column: 1, with: &searcher) { bytes = try row[1] as Data }
        return try body(try row[0], bytes) ? .continue : .stop
      }
    }
  }

  private static var valuesSQL: SQL {
    "SELECT name, value FROM undercroft_entry WHERE name >= ?1 AND name < ?2"
  }
}
