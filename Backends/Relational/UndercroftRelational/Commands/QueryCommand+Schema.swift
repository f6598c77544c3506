import UndercroftCore
import UndercroftSQLite

// Commands that change the schema. If a declaration cannot be
// expressed in SQL, running the command throws the error.

extension QueryCommand {
  /// Creates a command from the statements that `make` returns.
  ///
  /// If `make` throws, running the command throws the same error.
  private init(_ make: () throws(StorageError) -> [String]) {
    do throws(StorageError) {
      self.init(try make().map { SQL(unchecked: $0) })
    } catch {
      self.init(SQL(failing: error))
    }
  }

  /// Returns a command that creates a declared table, its
  /// indexes, and its full-text index with its triggers.
  public static func createTable(_ table: TableDefinition) -> Self {
    Self { () throws(StorageError) in
      try [DDLBuilder.create(table)] + table.namedIndexes.map(\.sql)
        + (FullTextCompanion(of: table)?.creation(UniqueSet.all(of: table)) ?? [])
    }
  }

  /// Returns a command that creates a table: `createTable("shelf",
  /// columns: [ColumnDefinition("id", .integer).primaryKey()])`.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - columns: The columns of the table.
  ///   - isStrict: Whether SQLite checks the type of each value. (`STRICT`)
  ///   - hasRowID: Whether the rows have a rowid. If `false`, the rows are stored in the order of
  ///     their primary key. (`WITHOUT ROWID`)
  public static func createTable(
    _ name: String, columns: [ColumnDefinition], isStrict: Bool = false, hasRowID: Bool = true
  ) -> Self {
    var constraints = TableConstraints()
    (constraints.isStrict, constraints.hasRowID) = (isStrict, hasRowID)
    return createTable(TableDefinition(name, columns, constraints))
  }

  /// Returns a command that drops a table with its indexes and triggers.
  public static func dropTable(_ name: String) -> Self { Self("DROP TABLE \(identifier: name)") }

  /// Returns a command that drops a declared table and its full-text index.
  public static func dropTable(_ table: TableDefinition) -> Self {
    var statements: [SQL] = ["DROP TABLE \(identifier: table.name)"]
    if let search = table.fullText {
      for name in [search.companionName, FullTextTriggers.name(search, "replaced")] {
        statements.append("DROP TABLE IF EXISTS \(identifier: name)")
      }
    }
    return Self(statements)
  }

  /// Returns a command that renames a table.
  public static func renameTable(_ name: String, to newName: String) -> Self {
    Self("ALTER TABLE \(identifier: name) RENAME TO \(identifier: newName)")
  }

  /// Returns a command that adds a column to a table.
  ///
  /// Existing rows get the default value of the column, or NULL.
  ///
  /// SQLite cannot add a column that is unique or a primary key. To a table with rows, SQLite also
  /// cannot add a computed column whose value is stored, a `NOT NULL` column without a default, or
  /// a column that has both a foreign key and a default other than NULL.
  public static func addColumn(_ column: ColumnDefinition, to table: String) -> Self {
    Self { () throws(StorageError) in
      let text = try DDLBuilder.column(column, of: table, isOnlyKey: true)
      return ["ALTER TABLE \(table.quotedIdentifier) ADD COLUMN \(text)"]
    }
  }

  /// Returns a command that drops a column and its values.
  public static func dropColumn(_ name: String, of table: String) -> Self {
    Self("ALTER TABLE \(identifier: table) DROP COLUMN \(identifier: name)")
  }

  /// Returns a command that renames a column.
  public static func renameColumn(_ name: String, of table: String, to newName: String) -> Self {
    Self(
      "ALTER TABLE \(identifier: table) RENAME COLUMN \(identifier: name) TO \(identifier: newName)"
    )
  }

  /// Returns a command that creates an index on columns of a table.
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - table: The name of the table.
  ///   - columns: The indexed columns, in this order.
  ///   - isUnique: Whether the index is unique: no two
  ///     indexed rows may have the same values, except NULL.
  ///   - condition: A condition in SQL that selects the indexed rows, or `nil` for all rows.
  public static func createIndex(
    _ name: String, on table: String, columns: [String], isUnique: Bool = false,
    where condition: StaticString? = nil
  ) -> Self {
    let index = IndexDefinition(
      columns: columns, isUnique: isUnique, condition: condition?.description)
    return Self(SQL(unchecked: DDLBuilder.create(index, named: name, on: table)))
  }

  /// Returns a command that drops an index.
  public static func dropIndex(_ name: String) -> Self { Self("DROP INDEX \(identifier: name)") }
}
