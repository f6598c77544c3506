import UndercroftCore
import UndercroftSQLite

// Statements that change the schema. What cannot be said in SQL fails when it is run.

extension QueryCommand {
  /// Takes SQL whose making may fail; whoever runs it gets the error.
  private init(_ make: () throws(StorageError) -> [String]) {
    do throws(StorageError) {
      self.init(try make().map { SQL(unchecked: $0) })
    } catch {
      self.init(SQL(failing: error))
    }
  }

  /// Makes a declared table with its indexes, and what its full-text search needs.
  public static func createTable(_ table: TableDefinition) -> Self {
    Self { () throws(StorageError) in
      try [SchemaText.create(table)] + table.namedIndexes.map(\.sql)
        + (FullTextCompanion(of: table)?.creation(UniqueSet.all(of: table)) ?? [])
    }
  }

  /// Makes a table of columns: `createTable("shelf", columns: [ColumnDefinition("id", .integer).primaryKey()])`.
  ///
  /// - Parameters:
  ///   - isStrict: Whether SQLite checks the type of each value. (`STRICT`)
  ///   - hasRowID: Whether its rows are kept by a number of SQLite's, and not by their key alone. (`WITHOUT ROWID`)
  public static func createTable(
    _ name: String, columns: [ColumnDefinition], isStrict: Bool = false, hasRowID: Bool = true
  ) -> Self {
    var constraints = TableConstraints()
    (constraints.isStrict, constraints.hasRowID) = (isStrict, hasRowID)
    return createTable(TableDefinition(name, columns, constraints))
  }

  /// Drops a table with its indexes and triggers.
  public static func dropTable(_ name: String) -> Self { Self("DROP TABLE \(identifier: name)") }

  /// Drops a declared table, and what its full-text search needed.
  public static func dropTable(_ table: TableDefinition) -> Self {
    var statements: [SQL] = ["DROP TABLE \(identifier: table.name)"]
    if let search = table.fullText {
      for name in [search.companionName, FullTextTriggers.name(search, "replaced")] {
        statements.append("DROP TABLE IF EXISTS \(identifier: name)")
      }
    }
    return Self(statements)
  }

  /// Gives a table another name.
  public static func renameTable(_ name: String, to newName: String) -> Self {
    Self("ALTER TABLE \(identifier: name) RENAME TO \(identifier: newName)")
  }

  /// Adds a column to a table; where it has a default, rows that are there have that.
  ///
  /// SQLite adds none that is unique, a key, computed and stored, or `NOT NULL` without a default.
  public static func addColumn(_ column: ColumnDefinition, to table: String) -> Self {
    Self { () throws(StorageError) in
      let text = try SchemaText.column(column, isOnlyKey: true)
      return ["ALTER TABLE \(table.asName) ADD COLUMN \(text)"]
    }
  }

  /// Drops a column and its values.
  public static func dropColumn(_ name: String, of table: String) -> Self {
    Self("ALTER TABLE \(identifier: table) DROP COLUMN \(identifier: name)")
  }

  /// Gives a column another name.
  public static func renameColumn(_ name: String, of table: String, to newName: String) -> Self {
    Self(
      "ALTER TABLE \(identifier: table) RENAME COLUMN \(identifier: name) TO \(identifier: newName)"
    )
  }

  /// Makes an index of columns.
  ///
  /// - Parameters:
  ///   - isUnique: Whether no two of its rows may have the same values.
  ///   - condition: Which rows it holds, as SQL; all by default.
  public static func createIndex(
    _ name: String, on table: String, columns: [String], isUnique: Bool = false,
    where condition: StaticString? = nil
  ) -> Self {
    let index = IndexDefinition(
      columns: columns, isUnique: isUnique, condition: condition?.description)
    return Self(SQL(unchecked: SchemaText.create(index, named: name, on: table)))
  }

  /// Drops an index.
  public static func dropIndex(_ name: String) -> Self { Self("DROP INDEX \(identifier: name)") }
}
