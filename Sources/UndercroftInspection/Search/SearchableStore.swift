package import UndercroftFoundation

/// A store of named values that finds the values with a text faster than by copying each value.
package protocol SearchableStore: Inspectable {
  /// Calls `body` with the name of each entry whose name begins with `prefix`, in the order of
  /// ``Inspectable/forEachValue(withPrefix:_:)``, until `body` returns `false`.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the names.
  ///   - filter: the condition for values.
  ///   - body: a closure that receives a name, and the bytes of the value if they fulfil the
  ///     condition.
  /// - Throws: the errors of ``Inspectable/entries(withPrefix:)``, and any error that `body`
  ///   throws.
  func forEachName(
    withPrefix prefix: String, matching filter: ValueFilter,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool) throws
}

/// A store of rows that finds the rows with a text faster than by copying each row.
package protocol SearchableTables: TableInspectable {
  /// Passes the rows of a table with a value that fulfils `filter` to `body`, in the order in which
  /// the store reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - filter: the condition for values.
  ///   - columns: a closure that receives the names of the columns before the first step.
  ///   - body: a closure that receives a step, and returns whether it needs more steps.
  /// - Throws: ``StorageError/Code/invalidKey`` if there is no such table, and any error that a
  ///   closure throws.
  func forEachRow(
    of table: String, matching filter: ValueFilter, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool) throws
}

/// A step of a search through the rows of a table.
package enum RowSearchStep: Sendable, Equatable {
  /// A number of rows, of which none has a value that fulfils the condition, and their approximate
  /// size in bytes.
  case skipped(rows: Int, byteCount: Int)
  /// The values of a row, of which at least one fulfils the condition if the store can search.
  case row([InspectedValue])
}

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
