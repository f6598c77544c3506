import UndercroftCore
import UndercroftSQLite

/// The merge of the table `detail` into the table `table`: the reverse of ``TableSplit``.
struct TableMerge {
  let operation: SchemaOperation
  let detail: SchemaObject
  let table: SchemaObject
  let key: String

  func run(in db: Connection) throws {
    guard detail.name != table.name else {
      throw operation.failure(
        "both arguments name the table \(quoted(table.name))",
        suggestion: "for the first argument, pass the name of the table that was split off")
    }
    let check = try SchemaCheck(before: operation, in: db)
    let layout = try TableLayout(of: detail.name, in: db)
    let columns = layout.columns.filter { $0.name.folded != key.folded }
    _ = try operation.column(key, of: table, in: db)
    guard let detailKey = layout.column(key)?.name, layout.key == [detailKey] else {
      throw operation.failure(
        "\(quoted(key)) is not the primary key of \(quoted(detail.name))",
        suggestion: "declare this primary key before this call, with rebuildTable(_:as:)")
    }
    try requireOwners(of: detailKey, in: db)
    try operation.dropDeclaredFullTextTables(
      of: detail.name, losing: layout.columns.map(\.name), in: db)
    try requireUnused(in: db)
    let detailStatement = try operation.statement(of: detail)
    let definitions = try columns.map { column in
      guard let definition = detailStatement.definition(of: column.name) else {
        throw operation.failure(
          """
          the CREATE TABLE statement of \(quoted(detail.name)) contains no definition of the \
          column \(quoted(column.name))
          """,
          suggestion:
            "before this call, pass a new CREATE TABLE statement of the table to rebuildTable(_:as:)"
        )
      }
      return "\(column.name.quotedIdentifier) \(definition)"
    }
    // Only column definitions are moved. A table constraint on these columns would be lost.
    if let constraint = detailStatement.constraints.first(where: { constraint in
      columns.contains { column in
        constraint.tokens.contains { $0.isName(column.name) }
      }
    }) {
      throw operation.failure(
        "the constraint \(constraint.text) of \(quoted(detail.name)) would be lost",
        suggestion: "remove the constraint before this call, with rebuildTable(_:as:)")
    }
    let indexes = try db.schema().filter {
      $0.kind == .index && $0.table.folded == detail.name.folded && $0.sql != nil
        && !$0.isDeclared
    }
    guard
      let text = try operation.statement(of: table).adding(definitions).flatMap(
        CreateTableStatement.init)
    else {
      throw operation.failure(
        "the CREATE TABLE statement of \(quoted(table.name)) cannot be parsed",
        suggestion:
          "before this call, pass a new CREATE TABLE statement of the table to rebuildTable(_:as:)")
    }
    var expressions: [String: SQL] = [:]
    for column in columns where !column.isGenerated {
      expressions[column.name] = """
        SELECT \(identifier: column.name) FROM main.\(identifier: detail.name) AS "undercroft detail"
        WHERE "undercroft detail".\(identifier: detailKey) = \(identifier: table.name).\(identifier: key)
        """
    }
    try TableRebuilding(
      operation: operation, table: table, text: text, expressions: expressions, dropped: [],
      condition: nil
    ).run(in: db)
    try db.execute("DROP TABLE main.\(identifier: detail.name)")
    for index in indexes { try operation.move(index, to: table.name, in: db) }
    try check.requireIntact(after: operation, in: db)
  }

  /// Throws if a row of `detail` matches no row of `table`, because the merge would lose that row.
  private func requireOwners(of detailKey: String, in db: Connection) throws {
    let orphans = try db.fetchValue(
      """
      SELECT count(*) FROM main.\(identifier: detail.name) WHERE \(identifier: detailKey) IS NULL
      OR \(identifier: detailKey) NOT IN (
        SELECT \(identifier: key) FROM main.\(identifier: table.name)
        WHERE \(identifier: key) IS NOT NULL)
      """, as: Int.self)
    guard orphans == 0 else {
      throw operation.failure(
        """
        \(orphans) row\(orphans == 1 ? "" : "s") of \(quoted(detail.name)) \
        \(orphans == 1 ? "has" : "have") no row with the same key in \(quoted(table.name))
        """,
        suggestion: "delete these rows of \(quoted(detail.name)) before this call")
    }
  }

  private func requireUnused(in db: Connection) throws {
    let trigger = try db.schema().first {
      $0.kind == .trigger && $0.table.folded == detail.name.folded
    }
    let reference = try db.references(to: detail.name).first?.table
    let fullTextTable = try FullTextTable.all(of: detail.name, in: db).first?.name
    let found =
      trigger.map { "the trigger \(quoted($0.name))" }
      ?? reference.map { "a foreign key of \(quoted($0))" }
      ?? fullTextTable.map { "the full-text table \(quoted($0))" }
    guard let dependent = found else { return }
    throw operation.failure(
      "\(dependent) depends on \(quoted(detail.name))",
      // Dropping a table that has a foreign key would delete its rows.
      suggestion: trigger == nil && reference != nil
        ? "remove the foreign key before this call, with rebuildTable(_:as:)"
        : SchemaOperation.dropSuggestion)
  }
}
