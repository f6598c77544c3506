package import UndercroftFoundation

extension OpenedStore {
  /// Calls `body` with the name of each entry, in any order, until `body` returns `false`.
  ///
  /// If a manifest specifies the kind of data, only entries of this kind are passed, and their
  /// names are without the prefix of the kind.
  ///
  /// - Parameters:
  ///   - filter: the condition for values.
  ///   - body: a closure that receives a name, and the bytes of the value if they fulfil the
  ///     condition. A store that cannot search passes the bytes of all values.
  package func forEachName(
    matching filter: ValueFilter, _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    guard let store = store as? any SearchableStore else {
      return try forEachValue { name, bytes in try body(name, bytes) }
    }
    try store.forEachName(withPrefix: prefix, matching: filter) { name, bytes in
      guard let name = withoutPrefix(name) else { return true }
      return try body(name, bytes)
    }
  }

  /// Passes the rows of a table with a value that fulfils `filter` to `body`, in the order in which
  /// the store reads them, and the numbers of the other rows.
  ///
  /// A store that cannot search passes all rows.
  package func forEachRow(
    of table: String, matching filter: ValueFilter, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool
  ) throws {
    guard let store = store as? any SearchableTables else {
      return try forEachRow(of: table, columns: columns) { try body(.row($0)) }
    }
    try store.forEachRow(of: table, matching: filter, columns: columns, body)
  }
}
