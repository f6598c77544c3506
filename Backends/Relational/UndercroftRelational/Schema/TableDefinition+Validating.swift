import UndercroftCore

extension TableDefinition {
  /// Returns the error in a declaration, independent of the file, or `nil` if the declaration is
  /// valid.
  static func failure(
    _ name: String, _ columns: [ColumnDefinition], _ constraints: TableConstraints
  ) -> StorageError? {
    if let failure = columns.compactMap(\.failure).first ?? constraints.failure { return failure }
    if columns.isEmpty {
      return failure(name, "it has no column", suggestion: "declare one")
    }
    if SQLName.folded(name).begins(with: DerivedSource.reservedPrefix) {
      return failure(
        name, "names that begin with \(quoted(DerivedSource.reservedPrefix)) are reserved",
        suggestion: "give it another name")
    }
    let keys = columns.filter(\.isPrimaryKey)
    let hasRowIDKey = constraints.hasRowID && keys.count == 1 && keys.first?.type == .integer
    var seen: Set<ExactString> = []
    for column in columns where !seen.insert(SQLName.folded(column.name)).inserted {
      return failure(
        name, "the column \(quoted(column.name)) is declared twice", suggestion: "declare it once")
    }
    if columns.contains(where: \.isAutoincrementing), !hasRowIDKey {
      return failure(
        name, "AUTOINCREMENT needs an integer as the only primary key", suggestion: "leave it out")
    }
    if !constraints.hasRowID, keys.isEmpty {
      return failure(
        name, "a table WITHOUT ROWID needs a primary key",
        suggestion: "declare one with primaryKey()")
    }
    if let key = keys.first(where: { $0.generator != nil }) {
      return failure(
        name, "the primary key \(quoted(key.name)) is a generated column",
        suggestion: "declare a unique index instead")
    }
    if let search = constraints.fullText {
      if search.columns.isEmpty {
        return failure(name, "its full-text index has no column", suggestion: "name one")
      }
      for column in search.columns where ["rowid", "rank"].contains(SQLName.folded(column)) {
        return failure(
          name, "FTS5 reserves the column name \(quoted(column)) of a searched column",
          suggestion: "give the column another name, or do not search it")
      }
      if SQLName.folded(search.columns).count < search.columns.count {
        return failure(
          name, "its full-text index contains a column twice", suggestion: "name each once")
      }
      if !hasRowIDKey {
        return failure(
          name,
          "a full-text index needs an integer as the only primary key, because other rowids can change",
          suggestion: "declare such a key, and declare the present one unique()")
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
