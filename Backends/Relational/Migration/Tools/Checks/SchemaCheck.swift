import UndercroftCore
import UndercroftSQLite

/// What of a schema compiles: what did before a change must do so afterwards.
///
/// SQLite looks at views and triggers when they are used, which may be years after they ceased to fit.
struct SchemaCheck {
  /// The statements that did not compile before.
  private let broken: Set<ExactString>

  /// Looks at a schema before it is changed.
  init(before work: SchemaWork, in db: borrowing Connection) throws {
    if let problem = try Self.problem(in: db) {
      throw work.failure(
        "the schema is broken already: \(problem.message)", cure: SchemaWork.dropBefore,
        underlying: problem)
    }
    broken = Set(try Self.failures(in: db).map(\.statement.exact))
  }

  /// Looks at it afterwards.
  func requireWhole(after work: SchemaWork, in db: borrowing Connection) throws {
    if let problem = try Self.problem(in: db) {
      throw work.failure(problem.message, cure: SchemaWork.dropBefore, underlying: problem)
    }
    for failure in try Self.failures(in: db) where !broken.contains(failure.statement.exact) {
      throw work.failure(
        "\(failure.object): \(failure.error.message)", cure: SchemaWork.dropBefore,
        underlying: failure.error)
    }
  }

  /// What SQLite has against a view or a trigger, all of which it looks at when any table is altered.
  private static func problem(in db: borrowing Connection) throws -> SQLiteError? {
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

  /// A statement that does not compile.
  private struct Failure {
    let object: String
    let statement: String
    let error: SQLiteError
  }

  /// What an altered table does not make SQLite look at: how many values a trigger inserts, and where words are from.
  private static func failures(in db: borrowing Connection) throws -> [Failure] {
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
    for words in schema.compactMap(FullTextTable.init) {
      if let error = try db.failure(of: words.query) {
        failures.append(
          Failure(
            object: "the full-text table \(quoted(words.name))", statement: words.query,
            error: error))
      }
    }
    return failures
  }

  /// What sets off every trigger of a table.
  private static func statements(
    of table: String, in db: borrowing Connection
  ) throws -> [String] {
    let name = "main.\(table.asName)"
    let sets = try db.columns(of: table).filter { !$0.isGenerated }
      .map { "\($0.name.asName) = \($0.name.asName)" }.joined(separator: ", ")
    return [
      "INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)", "UPDATE \(name) SET \(sets)",
    ]
  }
}

extension Connection {
  /// Why a statement does not compile, or `nil` when it does.
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
