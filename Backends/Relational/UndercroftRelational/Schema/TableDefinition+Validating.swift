import UndercroftCore

extension TableDefinition {
  /// Returns the error in a declaration, independent of the file, or `nil` if the declaration is
  /// valid.
  static func failure(
    _ name: String, _ columns: [ColumnDefinition], _ constraints: TableConstraints
  ) -> StorageError? {
    if let failure = columns.compactMap(\.failure).first {
      return failure.within("cannot use the table \(quoted(name))")
    }
    if let failure = constraints.failure { return failure }
    if columns.isEmpty {
      return failure(
        name, "its declaration has no column", suggestion: "declare at least one column")
    }
    if SQLName.folded(name).begins(with: DerivedSource.reservedPrefix) {
      return failure(
        name, "names that begin with \(quoted(DerivedSource.reservedPrefix)) are reserved",
        suggestion: "declare the table under another name")
    }
    let keys = columns.filter(\.isPrimaryKey)
    let hasRowIDKey = constraints.hasRowID && keys.count == 1 && keys.first?.type == .integer
    var seen: Set<ExactString> = []
    for column in columns where !seen.insert(SQLName.folded(column.name)).inserted {
      return failure(
        name, "the column \(quoted(column.name)) is declared twice",
        suggestion: "declare the column once")
    }
    if let column = columns.first(where: \.isAutoincrementing), !hasRowIDKey {
      return failure(
        name,
        """
        the column \(quoted(column.name)) is AUTOINCREMENT, which SQLite supports only for a \
        single INTEGER PRIMARY KEY in a table with rowids
        """,
        suggestion: "remove AUTOINCREMENT, or declare an integer as the only primary key")
    }
    if !constraints.hasRowID, keys.isEmpty {
      return failure(
        name, "a table WITHOUT ROWID needs a primary key",
        suggestion: "declare a primary key with primaryKey()")
    }
    if let key = keys.first(where: { $0.generator != nil }) {
      return failure(
        name, "the primary key \(quoted(key.name)) is a generated column",
        suggestion: "declare another primary key, and a unique index of the generated column")
    }
    if let search = constraints.fullText {
      if search.columns.isEmpty {
        return failure(
          name, "its full-text index has no column",
          suggestion: "pass at least one property to fullText(…)")
      }
      for column in search.columns where ["rowid", "rank"].contains(SQLName.folded(column)) {
        return failure(
          name, "FTS5 reserves the column name \(quoted(column)) of a searched column",
          suggestion: "give the column another name, or remove the column from fullText(…)")
      }
      var indexed: Set<ExactString> = []
      for column in search.columns where !indexed.insert(SQLName.folded(column)).inserted {
        return failure(
          name, "its full-text index contains the column \(quoted(column)) twice",
          suggestion: "pass each property to fullText(…) once")
      }
      if !hasRowIDKey {
        return failure(
          name,
          """
          a full-text index needs an integer as the only primary key, because VACUUM can change \
          other rowids
          """,
          suggestion:
            "declare an integer primary key, and declare the columns of the present key unique")
      }
    }
    return nil
  }

  private static func failure(_ name: String, _ reason: String, suggestion: String) -> StorageError
  {
    StorageError.table(
      "cannot use the table \(quoted(name)): \(reason)", suggestion: suggestion)
  }
}
