import CSQLite

extension Statement {
  /// Returns the results of `body` for all rows of a query, bypassing the statement cache and the
  /// monitors of the connection.
  ///
  /// Binds `texts` to the placeholders of the query, in order.
  ///
  /// This library uses the function for small queries of its own while a call of the application
  /// runs. If the query cannot be prepared or a value cannot be bound, the result is empty. If a
  /// step fails, the array contains only the results for the rows before the failure.
  static func internalQuery<Element>(
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

  /// Returns the integer that a `PRAGMA` yields for each database of a connection, beginning with
  /// the main database.
  ///
  /// The temporary database is left out. An element is `nil` if the `PRAGMA` yields no row.
  /// (`sqlite3_db_name`)
  static func numbers(_ pragma: String, on connection: OpaquePointer) -> [Int64?] {
    var numbers: [Int64?] = []
    var index: Int32 = 0
    while let name = sqlite3_db_name(connection, index) {
      // Index 1 is the temporary database, which belongs to this connection alone.
      index += index == 0 ? 2 : 1
      let schema = String(cString: name).quotedIdentifier
      numbers.append(
        internalQuery("PRAGMA \(schema).\(pragma)", on: connection) { sqlite3_column_int64($0, 0) }
          .first)
    }
    return numbers
  }
}
