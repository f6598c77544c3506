import UndercroftCore
import UndercroftSQLite

/// The split of a table, which moves some of its columns into a new table.
struct TableSplit {
  let operation: SchemaOperation
  let table: SchemaObject
  let columns: [String]
  let newName: String
  let key: String

  func run(in db: Connection) throws {
    let check = try SchemaCheck(before: operation, in: db)
    let layout = try TableLayout(of: table.name, in: db)
    let text = try operation.statement(of: table)
    let keyName = try requireKey(layout, text, in: db)
    try requireKeys(in: keyName, in: db)
    let moved = try columns.map { try operation.column($0, of: table, in: db) }
    if let column = moved.first(where: { $0.primaryKeyPosition > 0 }) {
      throw operation.failure(
        "the column \(quoted(column.name)) is part of the primary key",
        suggestion: "remove this column from the argument \"moving\"")
    }
    let definitions = try moved.map { column in
      guard let definition = text.definition(of: column.name), !column.isGenerated else {
        throw operation.failure(
          column.isGenerated
            ? "the column \(quoted(column.name)) is a generated column"
            : """
            the CREATE TABLE statement contains no definition of the column \(quoted(column.name))
            """,
          suggestion: "remove this column from the argument \"moving\"")
      }
      return "\(column.name.quotedIdentifier) \(definition)"
    }
    guard !moved.isEmpty else {
      throw operation.failure(
        "the argument \"moving\" names no column",
        suggestion: "name at least one column in the argument \"moving\"")
    }
    var names: Set<ExactString> = []
    if let repeated = moved.first(where: { !names.insert($0.name.folded).inserted }) {
      throw operation.failure(
        "the argument \"moving\" names the column \(quoted(repeated.name)) twice",
        suggestion: "name each column once in the argument \"moving\"")
    }
    try operation.dropDeclaredIndexes(of: table.name, losing: moved.map(\.name), in: db)
    let indexes = try operation.indexes(
      of: table.name, usingOnly: moved.map(\.name), in: db)
    for index in indexes { try db.execute("DROP INDEX main.\(identifier: index.name)") }
    let type = layout.column(keyName).map(\.type) ?? ""
    let first =
      "\(keyName.quotedIdentifier) \(type) PRIMARY KEY REFERENCES \(table.name.quotedIdentifier)(\(keyName.quotedIdentifier)) ON DELETE CASCADE"
    let body = ([first] + definitions).joined(separator: ", ")
    try operation.run(
      "CREATE TABLE main.\(newName.quotedIdentifier) (\(body))\(layout.isStrict ? " STRICT" : "")",
      in: db,
      suggestion: """
        choose another name for the new table, or omit columns whose definitions refer to other \
        columns
        """)
    try copy([keyName] + moved.map(\.name), in: db)
    for index in indexes { try operation.move(index, to: newName, in: db) }
    try operation.drop(moved.map(\.name), of: table, in: db)
    try check.requireIntact(after: operation, in: db)
  }

  /// Throws if a row has NULL as its key, because the two parts of such a row could not be matched
  /// by key later.
  private func requireKeys(in keyName: String, in db: Connection) throws {
    let count = try db.fetchValue(
      "SELECT count(*) FROM main.\(identifier: table.name) WHERE \(identifier: keyName) IS NULL",
      as: Int.self)
    guard count == 0 else {
      throw operation.failure(
        "the key \(quoted(keyName)) is NULL in \(count) row\(count == 1 ? "" : "s")",
        suggestion: "give every row a key before this call, or delete the rows without a key",
        .constraintViolated)
    }
  }

  private func requireKey(
    _ layout: TableLayout, _ text: CreateTableStatement, in db: Connection
  ) throws -> String {
    guard let only = layout.key.first, layout.key.count == 1, only.folded == key.folded else {
      let keys = layout.key.map { quoted($0) }.joined(separator: ", ")
      throw operation.failure(
        "\(quoted(key)) is not the primary key of \(quoted(table.name))",
        suggestion: keys.isEmpty
          ? "give the table a primary key with rebuildTable(_:as:)" : "pass the primary key \(keys)"
      )
    }
    return only
  }

  private func copy(_ names: [String], in db: Connection) throws {
    let list = names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    let expected = try db.fetchValue(
      "SELECT count(*) FROM main.\(identifier: table.name)", as: Int.self)
    try operation.step(
      in: db,
      suggestion: "before this call, update the values that violate the constraints of the columns"
    ) { db in
      _ = try db.execute(
        """
        INSERT INTO main.\(identifier: newName) (\(list))
        SELECT \(list) FROM main.\(identifier: table.name) NOT INDEXED
        """)
    }
    let copied = try db.fetchValue("SELECT count(*) FROM main.\(identifier: newName)", as: Int.self)
    guard expected == copied else {
      throw operation.failure(
        "only \(copied) of \(expected) rows were copied into \(quoted(newName))",
        suggestion: """
          remove the ON CONFLICT clauses from the columns before this call, with \
          changeColumn(_:of:to:)
          """,
        .constraintViolated)
    }
  }
}
