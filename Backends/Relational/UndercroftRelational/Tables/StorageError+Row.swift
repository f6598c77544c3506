import UndercroftCore
import UndercroftSQLite

extension StorageError {
  /// Returns the error for an unreadable row of a declared table.
  ///
  /// - Parameters:
  ///   - row: The row, whose key and statement are named in the message.
  ///   - table: The declared table.
  ///   - position: A closure that receives the index of a column in the declaration, and returns
  ///     the position of the column in the row.
  func unreadable(
    _ row: borrowing Row, of table: TableDefinition, at position: (Int) -> Int
  ) -> StorageError {
    let keys = table.reads.keyColumnIndices.map { (table.columns[$0].name, position($0)) }
    return unreadable(row, of: table.name, keys: keys)
  }

  /// Returns the error for an unreadable row of any statement.
  ///
  /// The message names the table of the unreadable column, if SQLite reports the table.
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

  /// Returns an error that names the table, the key, the column
  /// and the statement of an unreadable row.
  ///
  /// The underlying error of the result is this error.
  private func unreadable(
    _ row: borrowing Row, of table: String?, keys: [(name: String, position: Int)]
  ) -> StorageError {
    var values: [String] = []
    for (name, position) in keys {
      // The message does not repeat the value that cannot be read, even if it is part of the key.
      guard !isAbout(name), let value = try? row.value(at: position), value != .null,
        let literal = try? SQLLiteral(value)
      else { continue }
      values.append("\(quoted(name)) = \(literal.text)")
    }
    let source = table.map { " of \(quoted($0))" } ?? ""
    let key = values.isEmpty ? "" : " with \(values.joined(separator: " and "))"
    let failure = suggestion.map { String(message.dropLast("; \($0)".count)) } ?? message
    let prefix = ["cannot read a row: ", "cannot read "].first { failure.hasPrefix($0) } ?? ""
    let unprefixed = failure.dropFirst(prefix.count)
    // An error of `SQLColumn` ends with the statement, which this error shortens.
    let end = unprefixed.firstRange(of: ", in the statement `")?.lowerBound ?? unprefixed.endIndex
    let reason = unprefixed[..<end]
    // The quotes of identifiers in SQL remain as they are.
    let sql =
      escaped(String(row.sql.unicodeScalars.prefix(200))).replacing("\\\"", with: "\"")
      + (row.sql.unicodeScalars.count > 200 ? "…" : "")
    return StorageError(
      code, "cannot read a row\(source)\(key): \(reason), in the statement `\(sql)`",
      suggestion: suggestion,
      backend: backend, key: self.key, underlying: self)
  }

  /// Returns whether the message of the error mentions the column with this name.
  private func isAbout(_ column: String) -> Bool {
    message.contains("the column \(quoted(column))")
  }
}
