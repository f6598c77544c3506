import UndercroftCore
import UndercroftSQLite

extension StorageError {
  /// Returns the error of a record that cannot be made of a row of a declared table; see ``unreadable(_:of:keys:)``.
  ///
  /// - Parameter position: The position in the row of a column by its place in the declaration.
  func unreadable(
    _ row: borrowing Row, of table: TableDefinition, at position: (Int) -> Int
  ) -> StorageError {
    let keys = table.reads.keyPlaces.map { (table.columns[$0].name, position($0)) }
    return unreadable(row, of: table.name, keys: keys)
  }

  /// Returns the error of a value that cannot be made of the row of any statement; see ``unreadable(_:of:keys:)``.
  ///
  /// The table is that of the column that cannot be read, as far as SQLite knows it.
  func unreadable(_ row: borrowing Row) -> StorageError {
    let names = row.names
    guard let failed = names.firstIndex(where: isAbout), let origin = row.origin(at: failed)
    else { return unreadable(row, of: nil, keys: []) }
    var keys: [(String, Int)] = []
    for position in names.indices {
      guard let other = row.origin(at: position), other.isKey, other.isOfTable(of: origin)
      else { continue }
      keys.append((names[position], position))
    }
    return unreadable(row, of: origin.table, keys: keys)
  }

  /// Returns the error of a row that cannot be read: it names the table, the key, the column and the statement, and has this error
  /// as its cause.
  private func unreadable(
    _ row: borrowing Row, of table: String?, keys: [(name: String, position: Int)]
  ) -> StorageError {
    var values: [String] = []
    for (name, position) in keys {
      // The value that cannot be read is not named, also where it is the key.
      guard !isAbout(name), let value = try? row.value(at: position), value != .null,
        let literal = try? SQLLiteral(value)
      else { continue }
      values.append("\(quoted(name)) = \(literal.text)")
    }
    let source = table.map { " of \(quoted($0))" } ?? ""
    let key = values.isEmpty ? "" : " with \(values.joined(separator: " and "))"
    let prefix = "cannot read "
    let reason = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    let sql = quoted(String(row.sql.unicodeScalars.prefix(200)))
    return StorageError(
      code, "cannot read a row\(source)\(key), returned by \(sql): \(reason)",
      backend: backend, key: self.key, underlying: self)
  }

  /// Whether the message is about the column of this name.
  private func isAbout(_ column: String) -> Bool {
    message.contains("the column \(quoted(column))")
  }
}
