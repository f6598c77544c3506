import UndercroftCore

/// The columns by which an upsert finds an existing row: the columns that the caller named, or the
/// primary key.
struct UpsertTarget {
  /// The indices of the named columns, or of the primary key if no columns are named.
  let named: [Int]
  /// The column sets to match, in order: the named columns, then the primary key if it differs from
  /// the named columns.
  let all: [[Int]]
  let isKey: Bool

  /// Creates a target from the columns of a unique constraint, or
  /// from the primary key if `columnIndices` is empty.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the columns are not unique.
  init(
    _ columnIndices: [Int], of table: TableDefinition, _ statements: TableStatements
  ) throws(StorageError) {
    let key = statements.keyColumnIndices
    named = columnIndices.isEmpty ? key : columnIndices
    isKey = !key.isEmpty && Set(named) == Set(key)
    all = isKey ? [key] : key.isEmpty ? [named] : [named, key]
    let isUnique = isKey || Self.isUnique(named, in: table)
    guard isUnique else { throw Self.ambiguous(named, in: table) }
  }

  private static func isUnique(_ columnIndices: [Int], in table: TableDefinition) -> Bool {
    let names = SQLName.folded(columnIndices.map { table.columns[$0].name })
    return !columnIndices.isEmpty && table.uniqueColumnSets.contains { SQLName.folded($0) == names }
  }

  private static func ambiguous(_ columnIndices: [Int], in table: TableDefinition) -> StorageError {
    if columnIndices.isEmpty {
      return StorageError.table(
        "cannot upsert into the table \(quoted(table.name)): the table has no primary key",
        suggestion:
          "declare a primary key, or pass the columns of a unique constraint, as in on: \\.isbn")
    }
    let names = columnIndices.map { quoted(table.columns[$0].name) }.joined(separator: ", ")
    let (subject, object) =
      columnIndices.count == 1
      ? ("this column is", "the column") : ("these columns together are", "the columns")
    return StorageError.table(
      """
      cannot upsert into the table \(quoted(table.name)) by \(names): \(subject) not declared unique
      """,
      suggestion: "declare \(object) unique, or pass the columns of a unique constraint")
  }

  /// Verifies that an upsert can find an existing row by the values of `row`: by the named columns,
  /// or by the primary key.
  ///
  /// A missing key is permitted if SQLite generates the key.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a required value is missing or `nil`.
  func require<Record>(
    _ row: RowValues<Record>, of table: Table<Record>
  ) throws(StorageError) {
    let (statements, definition) = (table.statements, table.definition)
    guard let missing = named.first(where: { table.isMissing($0, in: row) }) else { return }
    if isKey, statements.isKeyGenerated { return }
    let hasKey =
      !statements.keyColumnIndices.isEmpty
      && !statements.keyColumnIndices.contains { table.isMissing($0, in: row) }
    if !isKey, hasKey { return }
    let keyReason =
      statements.keyColumnIndices.isEmpty
      ? ", and the table has no primary key that could be used instead"
      : ", and the record has no complete primary key that could be used instead"
    throw StorageError.table(
      """
      cannot upsert into the table \(quoted(definition.name)): the upsert finds the existing row \
      by the column \(quoted(definition.columns[missing].name)), but the record's value for this \
      column is missing or nil\(isKey ? "" : keyReason)
      """,
      suggestion: Self.suggestion(for: definition.columns[missing]))
  }

  /// Verifies that a row has a value for each of the named columns,
  /// except for a key that SQLite generates.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a required value is missing or `nil`.
  func requireNamed<Record>(
    _ row: RowValues<Record>, of table: Table<Record>
  ) throws(StorageError) {
    guard let missing = named.first(where: { table.isMissing($0, in: row) }),
      !(isKey && table.statements.isKeyGenerated)
    else { return }
    let column = table.definition.columns[missing].name
    throw StorageError.table(
      """
      cannot fetch or insert a record of the table \(quoted(table.name)): the record's value for \
      the column \(quoted(column)) is missing or nil
      """,
      suggestion: Self.suggestion(for: table.definition.columns[missing]))
  }

  /// Returns the suggestion for the error about a record whose value for `column` is missing.
  ///
  /// The text suggests `insert` only if the column is optional or has a default value, because an
  /// insertion of any other column needs a value.
  private static func suggestion(for column: ColumnDefinition) -> String {
    column.isOptional || column.defaultValue != nil
      ? "set \(quoted(column.name)) in the record, or call insert instead"
      : "set \(quoted(column.name)) in the record"
  }
}
