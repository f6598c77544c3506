import UndercroftCore
import UndercroftSQLite

extension StorageError {
  /// Returns the error of a record that cannot be made of a row: it names the table, the key, the column
  /// and the statement, and has this error as its cause.
  ///
  /// - Parameter position: The position in the row of a column by its place in the declaration.
  func unreadable(
    _ row: borrowing Row, of table: TableDefinition, at position: (Int) -> Int
  ) -> StorageError {
    var keys: [String] = []
    for place in table.reads.keyPlaces {
      let name = quoted(table.columns[place].name)
      // The value that cannot be read is not named, also where it is the key.
      guard !message.contains("the column \(name)"),
        let value = try? row.value(at: position(place)), value != .null,
        let literal = try? SQLLiteral(value)
      else { continue }
      keys.append("\(name) = \(literal.text)")
    }
    let key = keys.isEmpty ? "" : " with \(keys.joined(separator: " and "))"
    let prefix = "cannot read "
    let reason = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    let sql = quoted(String(row.sql.unicodeScalars.prefix(200)))
    return StorageError(
      code, "cannot read a row of \(quoted(table.name))\(key), returned by \(sql): \(reason)",
      backend: backend, key: self.key, underlying: self)
  }
}
