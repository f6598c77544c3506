import CSQLite

extension Statement {
  /// Returns what `body` makes of each row, past the cache of the connection and whoever watches that; none when it fails.
  ///
  /// For small questions of the engine's own while it is at work for a caller.
  static func aside<Element>(
    _ sql: String, _ texts: [String] = [], on connection: OpaquePointer,
    _ body: (OpaquePointer) -> Element
  ) -> [Element] {
    guard let statement = try? Statement(sql, on: connection) else { return [] }
    var elements: [Element] = []
    for (offset, text) in texts.enumerated() {
      guard (try? statement.bind(.text(text), at: Int32(offset + 1))) != nil else { return [] }
    }
    while (try? statement.step()) == true { elements.append(body(statement.raw)) }
    return elements
  }

  /// Returns one number of each database of a connection, that of the main one first: a `PRAGMA` that answers with an integer.
  ///
  /// `nil` for one that does not answer. (`sqlite3_db_name`)
  static func numbers(_ pragma: String, on connection: OpaquePointer) -> [Int64?] {
    var numbers: [Int64?] = []
    var place: Int32 = 0
    while let name = sqlite3_db_name(connection, place) {
      // The second is the temporary one, which is this connection's alone.
      place += place == 0 ? 2 : 1
      let schema = String(cString: name).asName
      numbers.append(
        aside("PRAGMA \(schema).\(pragma)", on: connection) { sqlite3_column_int64($0, 0) }.first)
    }
    return numbers
  }
}
