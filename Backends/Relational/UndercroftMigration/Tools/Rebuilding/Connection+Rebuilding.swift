import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Rebuilds a table with another definition, and preserves its rows, indexes and triggers.
  ///
  /// As SQLite's documentation recommends, this function creates and fills a new table, drops the
  /// old table, and renames the new table. A column with an expression in `expressions` receives
  /// the value of that expression. Any other column is copied from the old column of the same name,
  /// or receives its default if there is no such column. Rows retain their hidden `rowid`, and an
  /// `AUTOINCREMENT` sequence continues. An FTS5 table that indexes text of the rebuilt table
  /// (`content=`) is filled again if the rebuild may have changed that text.
  ///
  /// ```swift
  /// try db.rebuildTable(
  ///   "book",
  ///   as: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER)",
  ///   copying: ["pages": "CAST(pages AS INTEGER)"])
  /// ```
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - definition: the new `CREATE TABLE` statement for the same table name, with any columns,
  ///     constraints, `STRICT` or `WITHOUT ROWID`.
  ///   - expressions: the SQL expressions that calculate the values of new columns from the old
  ///     columns, keyed by the name of the new column.
  ///   - dropped: the columns whose values are dropped. A column that is neither copied, used in an
  ///     expression nor named here is an error.
  ///   - condition: the condition that a row must satisfy to be preserved, or `nil` to preserve all
  ///     rows.
  /// - Throws: ``StorageError/Code/misuse`` if the definition is not a definition of this table, if
  ///   an index, trigger, view or foreign key does not fit the definition, if the values of a
  ///   column that is not in `dropped` would be lost, or if foreign keys are enforced and a foreign
  ///   key refers to the table, because SQLite could then delete or change the referring rows while
  ///   the table is replaced; ``StorageError/Code/constraintViolated`` if a row does not fit the
  ///   definition. In these cases, nothing is changed.
  public func rebuildTable(
    _ table: String, as definition: SQL, copying expressions: [String: SQL] = [:],
    dropping dropped: [String] = [], where condition: SQL? = nil
  ) throws {
    let operation = SchemaOperation("rebuild the table \(quoted(table))")
    try transaction { db in
      let found = try operation.table(table, in: db)
      guard definition.arguments.isEmpty, let text = CreateTableStatement(definition.text),
        text.name.folded == found.name.folded
      else {
        throw operation.failure(
          "the new definition is not a CREATE TABLE statement of \(quoted(found.name))",
          suggestion: """
            pass CREATE TABLE \(found.name.quotedIdentifier) (…) without interpolated values, TEMP \
            or AS SELECT
            """)
      }
      try TableRebuilding(
        operation: operation, table: found, text: text, expressions: expressions, dropped: dropped,
        condition: condition
      ).run(in: db)
    }
  }

  /// Changes the definition of a column: its type, default and constraints.
  ///
  /// The table is rebuilt with the definition, as ``rebuildTable(_:as:copying:dropping:where:)``
  /// does. The new definition replaces the old definition, so a constraint that the new definition
  /// does not contain is dropped.
  ///
  /// ```swift
  /// try db.changeColumn(
  ///   "pages", of: "book", to: "INTEGER NOT NULL DEFAULT 0", converting: "ifnull(pages, 0)")
  /// ```
  ///
  /// - Parameters:
  ///   - column: the name of the column.
  ///   - table: the name of the table.
  ///   - definition: the part of the column definition after the name, such as `INTEGER NOT NULL`.
  ///     Only SQLite checks the rows against the definition, when the rows are copied.
  ///   - expression: the new values as an SQL expression of the old columns, or `nil` to copy the
  ///     old values.
  /// - Throws: ``StorageError/Code/misuse`` if the definition is invalid, omits an existing
  ///   `PRIMARY KEY`, or does not fit an index, trigger, view or foreign key;
  ///   ``StorageError/Code/constraintViolated`` if a row does not fit the definition. In these
  ///   cases, nothing is changed.
  public func changeColumn(
    _ column: String, of table: String, to definition: SQL, converting expression: SQL? = nil
  ) throws {
    let operation = SchemaOperation("change the column \(quoted(column)) of \(quoted(table))")
    try transaction { db in
      let found = try operation.table(table, in: db)
      let old = try operation.column(column, of: found, in: db)
      let text = try operation.statement(of: found)
      guard definition.arguments.isEmpty, let new = ColumnDefinitionSQL(definition.text) else {
        throw operation.failure(
          "the new definition is not a column definition",
          suggestion: """
            pass the part after the column name, without interpolated values and without a comma \
            outside of parentheses
            """)
      }
      if text.definition(of: column).flatMap(ColumnDefinitionSQL.init)?.isPrimaryKey == true,
        !new.isPrimaryKey
      {
        throw operation.failure(
          "the column \(quoted(old.name)) would no longer be the primary key",
          suggestion: "write PRIMARY KEY into the new definition, or call rebuildTable(_:as:)")
      }
      guard let changed = text.redefining(column, as: new.text).flatMap(CreateTableStatement.init)
      else {
        throw operation.failure(
          "the CREATE TABLE statement contains no definition of the column \(quoted(old.name))",
          suggestion: "change the column with rebuildTable(_:as:)")
      }
      try TableRebuilding(
        operation: operation, table: found, text: changed,
        expressions: expression.map { [old.name: $0] } ?? [:], dropped: [], condition: nil
      ).run(in: db)
    }
  }
}
