package import UndercroftFoundation

/// A store of named values that finds the values with a text faster than by copying each value.
package protocol SearchableStore: Inspectable {
  /// Calls `body` with the name of each entry whose name begins with `prefix`, in any order, until
  /// `body` returns `false`.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the names.
  ///   - pattern: the text that is searched in the values.
  ///   - body: a closure that receives a name, and the bytes of the value if they contain the
  ///     pattern.
  /// - Throws: the errors of ``Inspectable/entries(withPrefix:)``, and any error that `body`
  ///   throws.
  func forEachName(
    withPrefix prefix: String, searching pattern: BytePattern,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool) throws
}

/// A store of rows that finds the rows with a text faster than by copying each row.
package protocol SearchableTables: TableInspectable {
  /// Passes the rows of a table that contain `pattern` to `body`, in the order in which the store
  /// reads them.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - pattern: the text that is searched in the values.
  ///   - columns: a closure that receives the names of the columns before the first step.
  ///   - body: a closure that receives a step, and returns whether it needs more steps.
  /// - Throws: ``StorageError/Code/invalidKey`` if there is no such table, and any error that a
  ///   closure throws.
  func forEachRow(
    of table: String, searching pattern: BytePattern, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool) throws
}

/// A step of a search through the rows of a table.
package enum RowSearchStep: Sendable, Equatable {
  /// A number of rows, of which none contains the text, and their approximate size in bytes.
  case skipped(rows: Int, byteCount: Int)
  /// The values of a row that contains the text.
  case row([InspectedValue])
}

extension OpenedStore {
  /// Calls `body` with the name of each entry, and with the bytes of each value that contains
  /// `pattern`, in any order, until `body` returns `false`.
  ///
  /// If a manifest specifies the kind of data, only entries of this kind are passed, and their
  /// names are without the prefix of the kind.
  package func forEachName(
    searching pattern: BytePattern, _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    guard let store = searchableStore else {
      var searcher = ByteSearcher(pattern)
      return try forEachValue { name, bytes in
        try body(name, searcher.offset(in: bytes) == nil ? nil : bytes)
      }
    }
    try store.forEachName(withPrefix: prefix, searching: pattern) { name, bytes in
      try body(String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self), bytes)
    }
  }

  /// Passes the rows of a table that contain `pattern` to `body`, in the order in which the store
  /// reads them, and the numbers of the other rows.
  ///
  /// A store that cannot search passes all rows.
  package func forEachRow(
    of table: String, searching pattern: BytePattern, columns: ([String]) throws -> Void,
    _ body: (RowSearchStep) throws -> Bool
  ) throws {
    guard let store = searchableTables else {
      return try forEachRow(of: table, columns: columns) { try body(.row($0)) }
    }
    try store.forEachRow(of: table, searching: pattern, columns: columns, body)
  }
}
