import UndercroftCore

extension TableDefinition {
  /// Why the declaration cannot be followed, whatever is in the file.
  static func failure(
    _ name: String, _ columns: [ColumnDefinition], _ constraints: TableConstraints
  ) -> StorageError? {
    if let failure = columns.compactMap(\.failure).first ?? constraints.failure { return failure }
    let keys = columns.filter(\.isPrimaryKey)
    let isKeptByNumber = constraints.hasRowID && keys.count == 1 && keys.first?.type == .integer
    var seen: Set<String> = []
    for column in columns where !seen.insert(SQLName.folded(column.name)).inserted {
      return failure(
        name, "the column \(quoted(column.name)) is declared twice", cure: "declare it once")
    }
    if columns.contains(where: \.isAutoincrementing), !isKeptByNumber {
      return failure(
        name, "AUTOINCREMENT needs an integer as the only primary key", cure: "leave it out")
    }
    if !constraints.hasRowID, keys.isEmpty {
      return failure(
        name, "a table WITHOUT ROWID needs a primary key", cure: "declare one with primaryKey()")
    }
    if let key = keys.first(where: { $0.generator != nil }) {
      return failure(
        name, "the primary key \(quoted(key.name)) is computed", cure: "make it a unique index")
    }
    if let search = constraints.fullText {
      if search.columns.isEmpty {
        return failure(name, "its full-text search is of no column", cure: "name one")
      }
      if !isKeptByNumber {
        return failure(
          name,
          "a full-text search needs an integer as the only primary key: other row numbers change",
          cure: "give it such a key, and make the present one unique()")
      }
    }
    return nil
  }

  private static func failure(_ name: String, _ reason: String, cure: String) -> StorageError {
    StorageError(
      .misuse, "cannot use the table \(quoted(name)): \(reason)", cure: cure, backend: "sqlite")
  }
}
