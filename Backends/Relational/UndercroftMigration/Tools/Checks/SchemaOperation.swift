import UndercroftCore
import UndercroftSQLite

/// An operation that changes the schema, such as renaming a table, and the description of the
/// operation for error messages.
struct SchemaOperation {
  /// The action as an imperative, such as `rename the table "book"`.
  let action: String
  /// The temporary names of tables during the operation, with the
  /// names that error messages show instead.
  var replacedNames: [(temporary: String, name: String)] = []

  init(_ action: String) { self.action = action }

  func failure(
    _ reason: String, suggestion: String? = nil, _ code: StorageError.Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    .schema(cannot: action, reason, suggestion: suggestion, as: code, underlying: underlying)
  }

  /// Runs `body`, which is a part of the operation.
  ///
  /// If SQL is invalid or data violates a constraint, throws an error whose message contains the
  /// action of the operation and, if given, `object` and `suggestion`.
  func step<Result>(
    in db: Connection, suggestion: String? = nil, about object: String? = nil,
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try body(db)
    } catch let error as StorageError {
      guard let cause = error.underlying as? SQLiteError,
        error.code == .misuse || error.code == .constraintViolated
      else { throw error }
      let reason = replacedNames.reduce(cause.message) { message, names in
        message.replacing(names.temporary, with: names.name)
      }
      throw failure(
        object.map { "\($0): \(reason)" } ?? reason, suggestion: suggestion, error.code,
        underlying: cause)
    }
  }

  func run(_ sql: String, in db: Connection, suggestion: String? = nil) throws {
    try step(in: db, suggestion: suggestion) { db in _ = try db.execute(SQL(unchecked: sql)) }
  }

  /// The suggestion in errors about an object that would be invalid after the change of a table.
  static let dropSuggestion =
    "drop the object that the error names before this call, and create the object again afterwards"

  // MARK: Tables and columns

  /// Returns the table with a name.
  ///
  /// Throws if there is no such table, or if the object with the name is a view, a virtual table or
  /// a table of SQLite.
  func table(_ name: String, in db: Connection) throws -> SchemaObject {
    let object = try db.schema().first {
      ($0.kind == .table || $0.kind == .view) && $0.name.folded == name.folded
    }
    guard let object, object.kind == .table else {
      throw failure(
        object == nil
          ? "the database has no table \(quoted(name))" : "\(quoted(name)) is a view, not a table",
        suggestion: object == nil
          ? "correct the name of the table, or create the table before this call"
          : """
          pass the name of a table; to change the view, drop the view, and create it again with \
          another definition
          """)
    }
    let isVirtual = VirtualTable(object) != nil
    guard !isVirtual, !object.name.folded.begins(with: "sqlite_") else {
      throw failure(
        "\(quoted(name)) is \(isVirtual ? "a virtual table" : "an internal table of SQLite")",
        suggestion: isVirtual
          ? """
          pass an ordinary table; to rename \(quoted(name)) or change its rows, run an SQL \
          statement; to change its columns, drop the virtual table, and create the table again
          """
          : "pass another table; to change rows of \(quoted(name)), run an SQL statement")
    }
    return object
  }

  /// Returns the parsed `CREATE TABLE` statement of a table.
  func statement(of table: SchemaObject) throws -> CreateTableStatement {
    guard let statement = table.sql.flatMap(CreateTableStatement.init) else {
      throw failure(
        "the CREATE TABLE statement of \(quoted(table.name)) cannot be parsed",
        suggestion: """
          before this call, pass a new CREATE TABLE statement of \(quoted(table.name)) to \
          rebuildTable(_:as:)
          """)
    }
    return statement
  }

  func column(
    _ name: String, of table: SchemaObject, in db: Connection
  ) throws -> SchemaColumn {
    let columns = try db.columns(of: table.name)
    guard let column = columns.first(where: { $0.name.folded == name.folded }) else {
      let names = columns.map { quoted($0.name) }.joined(separator: ", ")
      throw failure(
        "the table \(quoted(table.name)) has no column \(quoted(name))",
        suggestion: "choose one of the columns \(names)")
    }
    return column
  }
}
