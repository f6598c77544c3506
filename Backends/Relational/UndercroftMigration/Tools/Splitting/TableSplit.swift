import UndercroftCore
import UndercroftSQLite

/// Moves columns of a table into a new table.
struct TableSplit {
  let work: SchemaOperation
  let table: SchemaObject
  let columns: [String]
  let newName: String
  let key: String

  func run(in db: Connection) throws {
    let check = try SchemaCheck(before: work, in: db)
    let shape = try TableLayout(of: table.name, in: db)
    let text = try work.text(of: table)
    let keyName = try requireKey(shape, text, in: db)
    try requireKeys(in: keyName, in: db)
    let moved = try columns.map { try work.column($0, of: table, in: db) }
    if let column = moved.first(where: { $0.primaryKeyPosition > 0 }) {
      throw work.failure(
        "\(quoted(column.name)) is part of the primary key", suggestion: "leave it where it is")
    }
    let definitions = try moved.map { column in
      guard let definition = text.definition(of: column.name), !column.isGenerated else {
        throw work.failure(
          "\(quoted(column.name)) is a generated column", suggestion: "leave it where it is")
      }
      return "\(column.name.quotedIdentifier) \(definition)"
    }
    guard !moved.isEmpty, Set(moved.map(\.name.folded)).count == moved.count else {
      throw work.failure("no column is to be moved, or one twice", suggestion: "name each once")
    }
    try work.release(indexesOf: table.name, losing: moved.map(\.name), in: db)
    let indexes = try work.indexes(
      of: table.name, usingOnly: moved.map(\.name), in: db)
    for index in indexes { try db.execute("DROP INDEX main.\(identifier: index.name)") }
    let type = shape.column(keyName).map(\.type) ?? ""
    let first =
      "\(keyName.quotedIdentifier) \(type) PRIMARY KEY REFERENCES \(table.name.quotedIdentifier)(\(keyName.quotedIdentifier)) ON DELETE CASCADE"
    let body = ([first] + definitions).joined(separator: ", ")
    try work.run(
      "CREATE TABLE main.\(newName.quotedIdentifier) (\(body))\(shape.isStrict ? " STRICT" : "")",
      in: db,
      suggestion: "take another name, or leave out columns that refer to other columns")
    try copy([keyName] + moved.map(\.name), in: db)
    for index in indexes { try work.move(index, to: newName, in: db) }
    try work.drop(moved.map(\.name), of: table, in: db)
    try check.requireWhole(after: work, in: db)
  }

  /// Throws if a row has NULL as its key, because the two halves of
  /// such a row could not be matched again.
  private func requireKeys(in keyName: String, in db: Connection) throws {
    let count = try db.value(
      "SELECT count(*) FROM main.\(identifier: table.name) WHERE \(identifier: keyName) IS NULL",
      as: Int.self)
    guard count == 0 else {
      throw work.failure(
        "\(count) of its rows have no key: \(quoted(keyName)) is NULL",
        suggestion: "give them keys in the step before, or delete them", .constraintViolated)
    }
  }

  private func requireKey(
    _ shape: TableLayout, _ text: CreateTableStatement, in db: Connection
  ) throws -> String {
    guard let only = shape.key.first, shape.key.count == 1, only.folded == key.folded else {
      let keys = shape.key.map { quoted($0) }.joined(separator: ", ")
      throw work.failure(
        "\(quoted(key)) is not its primary key",
        suggestion: keys.isEmpty ? "give it one with rebuildTable(_:as:)" : "its key is \(keys)")
    }
    return only
  }

  private func copy(_ names: [String], in db: Connection) throws {
    let list = names.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    let wanted = try db.value("SELECT count(*) FROM main.\(identifier: table.name)", as: Int.self)
    try work.step(in: db) { db in
      _ = try db.execute(
        """
        INSERT INTO main.\(identifier: newName) (\(list))
        SELECT \(list) FROM main.\(identifier: table.name) NOT INDEXED
        """)
    }
    let arrived = try db.value("SELECT count(*) FROM main.\(identifier: newName)", as: Int.self)
    guard wanted == arrived else {
      throw work.failure("\(arrived) rows arrived of \(wanted)", .constraintViolated)
    }
  }
}
