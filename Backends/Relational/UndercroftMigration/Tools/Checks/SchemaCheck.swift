import UndercroftCore
import UndercroftSQLite

/// A check that each view, trigger and full-text table that is valid before a schema change is also
/// valid after the change.
///
/// SQLite compiles views and triggers only when they are used, possibly years after they became
/// invalid.
struct SchemaCheck {
  /// The statements that did not compile before the change: statements that fire triggers, and
  /// content queries of full-text tables.
  private let broken: Set<ExactString>

  /// Checks the schema before the change, and records the statements that do not compile.
  ///
  /// Throws if a view or trigger is invalid already.
  init(before operation: SchemaOperation, in db: Connection) throws {
    if let problem = try Self.problem(in: db) {
      throw operation.failure(
        "the schema is already invalid: \(problem.message)",
        suggestion: SchemaOperation.dropSuggestion,
        underlying: problem)
    }
    broken = Set(try Self.failures(in: db).map(\.statement.exact))
  }

  /// Verifies that a schema change has made no view, trigger or full-text table invalid.
  ///
  /// Throws if a view or trigger is invalid, or if a statement that compiled before the change no
  /// longer compiles.
  func requireIntact(after operation: SchemaOperation, in db: Connection) throws {
    if let problem = try Self.problem(in: db) {
      throw operation.failure(
        problem.message, suggestion: SchemaOperation.dropSuggestion, underlying: problem)
    }
    for failure in try Self.failures(in: db) where !broken.contains(failure.statement.exact) {
      throw operation.failure(
        "\(failure.object): \(failure.error.message)", suggestion: SchemaOperation.dropSuggestion,
        underlying: failure.error)
    }
  }

  /// Returns SQLite's error for an invalid view or trigger, or `nil` if all are valid.
  ///
  /// SQLite checks all views and triggers when a column of any table is renamed. So this function
  /// creates a table, renames its column, and drops the table.
  private static func problem(in db: Connection) throws -> SQLiteError? {
    let name = try db.unusedName("undercroft_migration_check")
    do {
      try db.transaction { db in
        try db.execute("CREATE TABLE main.\(identifier: name) (a)")
        try db.withLegacyAlterTable(false) { db in
          _ = try db.execute("ALTER TABLE main.\(identifier: name) RENAME COLUMN a TO b")
        }
        try db.execute("DROP TABLE main.\(identifier: name)")
      }
    } catch let error as StorageError where error.code == .misuse {
      guard let cause = error.underlying as? SQLiteError else { throw error }
      return cause
    }
    return nil
  }

  /// A statement that does not compile, with a description of the
  /// triggers that it fires or of the full-text table that runs it.
  private struct Failure {
    let object: String
    let statement: String
    let error: SQLiteError
  }

  /// Returns the statements that do not compile because of errors
  /// that SQLite does not notice when a column is renamed.
  ///
  /// The function compiles the content queries of all full-text tables, and statements that fire
  /// every trigger. Such an error is, for example, a wrong number of values in an `INSERT` of a
  /// trigger.
  private static func failures(in db: Connection) throws -> [Failure] {
    let schema = try db.schema()
    var failures: [Failure] = []
    let triggered = Set(schema.filter { $0.kind == .trigger }.map(\.table.folded))
    for table in schema where table.kind == .table || table.kind == .view {
      guard triggered.contains(table.name.folded) else { continue }
      let names = schema.filter {
        $0.kind == .trigger && $0.table.folded == table.name.folded
      }.map { quoted($0.name) }
      let object = "a trigger of \(quoted(table.name)) (\(names.joined(separator: ", ")))"
      for statement in try statements(of: table.name, in: db) {
        if let error = try db.failure(of: statement) {
          failures.append(Failure(object: object, statement: statement, error: error))
        }
      }
    }
    for fullTextTable in schema.compactMap(FullTextTable.init) {
      if let error = try db.failure(of: fullTextTable.query) {
        failures.append(
          Failure(
            object: "the full-text table \(quoted(fullTextTable.name))",
            statement: fullTextTable.query,
            error: error))
      }
    }
    return failures
  }

  /// Returns statements that together fire every trigger of a table.
  private static func statements(
    of table: String, in db: Connection
  ) throws -> [String] {
    let name = "main.\(table.quotedIdentifier)"
    let sets = try db.columns(of: table).filter { !$0.isGenerated }
      .map { "\($0.name.quotedIdentifier) = \($0.name.quotedIdentifier)" }.joined(separator: ", ")
    return [
      "INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)", "UPDATE \(name) SET \(sets)",
    ]
  }
}

extension Connection {
  /// Returns the error that SQLite reports when it compiles a statement, or `nil` if the statement
  /// compiles.
  fileprivate func failure(of statement: String) throws -> SQLiteError? {
    do {
      try validate(SQL(unchecked: statement))
      return nil
    } catch let error as StorageError where error.code == .misuse {
      guard let cause = error.underlying as? SQLiteError else { throw error }
      return cause
    }
  }
}
