import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Makes a table anew as another text has it, with its rows, its indexes, its triggers and whatever mentions it.
  ///
  /// It is done as SQLite's documentation prescribes: a new table is made and filled, the old one dropped, the new one given its name. Columns
  /// that both have are copied, others get the values of `expressions` or their defaults. Rows keep their hidden `rowid`, and an
  /// `AUTOINCREMENT` goes on where it was; FTS5 tables that take their texts from it are filled anew where the texts may have changed.
  ///
  /// ```swift
  /// try db.rebuildTable(
  ///   "book", as: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER)",
  ///   copying: ["pages": "CAST(pages AS INTEGER)"])
  /// ```
  ///
  /// - Parameters:
  ///   - definition: the `CREATE TABLE` statement of the same table, with any columns, constraints, `STRICT` or `WITHOUT ROWID`.
  ///   - expressions: what new columns are filled with, by their names, as SQL of the old ones.
  ///   - dropped: the columns whose values are to be lost; one that is neither copied nor in an expression nor here is an error.
  ///   - condition: which rows are kept; `nil` for all.
  /// - Throws: ``StorageError/Code/misuse`` for a text that is not of this table, when an index, a trigger, a view or a foreign key does not fit
  ///   it, and when foreign keys are enforced and one points to the table, as its rows would be deleted;
  ///   ``StorageError/Code/constraintViolated`` when a row does not fit. Nothing is changed then.
  public func rebuildTable(
    _ table: String, as definition: SQL, copying expressions: [String: SQL] = [:],
    dropping dropped: [String] = [], where condition: SQL? = nil
  ) throws {
    let work = SchemaWork("rebuild the table \(quoted(table))")
    try transaction { db in
      let found = try work.table(table, in: db)
      guard definition.arguments.isEmpty, let text = TableText(definition.text),
        text.name.folded == found.name.folded
      else {
        throw work.failure(
          "what is to be is no CREATE TABLE of it",
          cure:
            "begin with CREATE TABLE \(found.name.asName) (…), without values, TEMP or AS SELECT")
      }
      try TableRebuilding(
        work: work, table: found, text: text, expressions: expressions, dropped: dropped,
        condition: condition
      ).run(in: db)
    }
  }

  /// Gives a column another type, default or constraint: all that its definition says after its name.
  ///
  /// The table is made anew with that definition, as by ``rebuildTable(_:as:copying:dropping:where:)``; constraints that the old definition of
  /// the column had and the new one has not are gone.
  ///
  /// ```swift
  /// try db.changeColumn("pages", of: "book", to: "INTEGER NOT NULL DEFAULT 0", converting: "ifnull(pages, 0)")
  /// ```
  ///
  /// - Parameters:
  ///   - definition: what stands after the name, such as `INTEGER NOT NULL`; nothing of it is checked against the rows but by SQLite.
  ///   - expression: the new values, as SQL of the old columns; `nil` to copy them.
  /// - Throws: as `rebuildTable`, and ``StorageError/Code/misuse`` for a definition that is not one, or that leaves the `PRIMARY KEY` out.
  public func changeColumn(
    _ column: String, of table: String, to definition: SQL, converting expression: SQL? = nil
  ) throws {
    let work = SchemaWork("change the column \(quoted(column)) of \(quoted(table))")
    try transaction { db in
      let found = try work.table(table, in: db)
      let old = try work.column(column, of: found, in: db)
      let text = try work.text(of: found)
      guard definition.arguments.isEmpty, let new = ColumnText(definition.text) else {
        throw work.failure(
          "the new definition is not one of a column",
          cure:
            "give what stands after its name, without values and without a comma outside of brackets"
        )
      }
      if text.definition(of: column).flatMap(ColumnText.init)?.isPrimaryKey == true,
        !new.isPrimaryKey
      {
        throw work.failure(
          "it would no longer be the primary key",
          cure: "write PRIMARY KEY into its definition, or call rebuildTable(_:as:)")
      }
      guard let changed = text.redefining(column, as: new.text).flatMap(TableText.init) else {
        throw work.failure("its definition cannot be found", cure: "call rebuildTable(_:as:)")
      }
      try TableRebuilding(
        work: work, table: found, text: changed,
        expressions: expression.map { [old.name: $0] } ?? [:], dropped: [], condition: nil
      ).run(in: db)
    }
  }
}
