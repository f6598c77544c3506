import UndercroftCore
import UndercroftSQLite

extension SchemaOperation {
  /// Returns the indexes of a table that use at least one of the
  /// columns, except the indexes that SQLite created for constraints.
  func indexes(
    of table: String, using columns: [String], in db: Connection
  ) throws -> [SchemaObject] {
    try db.schema().filter {
      $0.kind == .index && $0.sql != nil && $0.table.folded == table.folded
    }.filter { index in try columns.contains { try uses($0, index, in: db) } }
  }

  /// Returns the indexes of a table that use some of the columns and no other column.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for an index that uses other columns as well.
  func indexes(
    of table: String, usingOnly columns: [String], in db: Connection
  ) throws -> [SchemaObject] {
    let names = Set(columns.map(\.folded))
    let others = try db.columns(of: table).map(\.name).filter { !names.contains($0.folded) }
    let matching = try indexes(of: table, using: columns, in: db)
    for index in matching {
      guard let other = try others.first(where: { try uses($0, index, in: db) }) else { continue }
      throw failure(
        """
        the index \(quoted(index.name)) uses not only columns that this call removes from the \
        table, but also the column \(quoted(other))
        """,
        suggestion: """
          drop the index \(quoted(index.name)) before this call, and afterwards create an index of \
          the remaining columns; or call rebuildTable(_:as:) instead
          """)
    }
    return matching
  }

  /// Returns whether an index uses a column as a key, in an expression or in its condition.
  func uses(
    _ column: String, _ index: SchemaObject, in db: Connection
  ) throws -> Bool {
    if try db.columns(ofIndex: index.name).contains(column.folded) { return true }
    let sql = TokenizedSQL(index.sql ?? "")
    guard let open = sql.opening() else { return true }
    return sql.mentions(column, in: open..<sql.tokens.count)
  }

  /// Drops the indexes that were created for a table
  /// declared in Swift and that use one of `columns`.
  ///
  /// The caller drops these columns afterwards. When the declared table is next used, the indexes
  /// that it still declares are created again.
  func dropDeclaredIndexes(
    of table: String, losing columns: [String], in db: Connection
  ) throws {
    for index in try indexes(of: table, using: columns, in: db) where index.isDeclared {
      try db.execute("DROP INDEX main.\(identifier: index.name)")
    }
  }

  /// Creates a dropped index again, with the same name and columns, on another table.
  func move(_ index: SchemaObject, to table: String, in db: Connection) throws {
    try create(index, on: table, called: nil, in: db)
  }

  /// Creates a copy of an index on another table.
  ///
  /// The name of the copy is derived from the name of the index.
  func copy(
    _ index: SchemaObject, from table: String, to other: String, in db: Connection
  ) throws {
    let name =
      index.name.contains(table)
      ? index.name.replacing(table, with: other) : "\(index.name)_\(other)"
    try create(index, on: other, called: try db.unusedName(name), in: db)
  }

  private func create(
    _ index: SchemaObject, on table: String, called name: String?, in db: Connection
  ) throws {
    // An index of a constraint is created with its table.
    guard let text = index.sql else { return }
    let sql = TokenizedSQL(text)
    guard let open = sql.opening(), open > 2, sql.tokens[open - 2].isWord("on") else {
      throw failure(
        "the CREATE INDEX statement of \(quoted(index.name)) cannot be parsed",
        suggestion: """
          drop the index \(quoted(index.name)) before this call, and create the index again afterwards
          """)
    }
    let old = sql.tokens[open - 1].name
    var edits = [(range: open - 1..<open, text: table.quotedIdentifier)]
    if let name { edits.append((open - 3..<open - 2, name.quotedIdentifier)) }
    for position in open..<max(open, sql.tokens.count - 1)
    where sql.tokens[position + 1].isPunctuation(".") && sql.tokens[position].name == old {
      edits.append((position..<position + 2, ""))
    }
    try step(
      in: db, suggestion: Self.dropSuggestion,
      about: "the index \(quoted(index.name)) does not fit the table \(quoted(table))"
    ) { db in _ = try db.execute(SQL(unchecked: sql.replacing(edits))) }
  }
}
