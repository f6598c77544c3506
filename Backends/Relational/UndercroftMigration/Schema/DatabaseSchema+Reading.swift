import UndercroftCore
public import UndercroftSQLite

extension DatabaseSchema {
  /// Reads the schema of the main database.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` for a schema that SQLite cannot read.
  public init(of db: Connection) throws {
    self.init(try Self.objects(of: db))
  }

  /// Reads the schema that a script creates, by running the script in an in-memory database.
  ///
  /// - Parameters:
  ///   - script: the statements that create the schema.
  ///   - setUp: adds the functions, collations and tokenizers that the script needs, as
  ///     ``DatabaseOptions/setUp`` does.
  /// - Throws: ``StorageError/Code/misuse`` for invalid SQL,
  ///   ``StorageError/Code/constraintViolated`` for a row that violates a constraint, and the
  ///   errors of `setUp`.
  public init(
    of script: SQL, setUp: (@Sendable (Connection) throws -> Void)? = nil
  ) throws {
    let database = try Database.inMemory(running: script, setUp: setUp)
    self = try database.read { db in try DatabaseSchema(of: db) }
  }

  /// Returns the objects of the schema, except for the indexes, triggers, helper tables and
  /// full-text tables that Undercroft creates for tables that are declared in Swift.
  func objectsWithoutDeclared(in db: Connection) throws -> [SchemaObject] {
    let fullText = try FullTextTable.all(in: db).filter { table in
      try !table.declaredTriggers(in: db).isEmpty
    }
    let names = Set(fullText.map(\.name.folded))
    return objects.filter { !$0.isDeclared && !names.contains($0.name.folded) }
  }

  /// The prefix of the names of all tables that the migrator owns.
  static let ownPrefix = "undercroft_migration"

  private static func objects(of db: Connection) throws -> [SchemaObject] {
    let all = try db.schema()
    let shadows = try ShadowTables(of: all, in: db)
    return all.filter { object in
      let (name, table) = (object.name.folded, object.table.folded)
      return object.sql != nil && !name.begins(with: "sqlite_")
        && !table.begins(with: "sqlite_") && !table.begins(with: ownPrefix)
        && !shadows.names.contains(table)
    }
  }
}

extension Database {
  /// Creates an in-memory database with the objects and rows that a script creates.
  ///
  /// The script runs with foreign keys off, so rows may refer to later rows.
  package static func inMemory(
    running script: SQL, setUp: (@Sendable (Connection) throws -> Void)? = nil
  ) throws -> Database {
    let database = try Database.inMemory(DatabaseOptions(setUp: setUp))
    try database.createSchema(script)
    return database
  }

  /// Runs a script that creates a whole schema, in one transaction, in an empty database.
  ///
  /// Foreign keys remain off on the writer connection.
  package func createSchema(_ script: SQL) throws {
    try writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      try db.transaction { db in try db.executeScript(script) }
    }
  }
}
