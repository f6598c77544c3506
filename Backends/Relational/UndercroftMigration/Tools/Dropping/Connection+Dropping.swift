import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Drops a column of a table, and the objects that use only this column.
  ///
  /// Indexes that contain only this column are dropped, and so are constraints in the definition of
  /// the column. The indexes and the full-text table that were created for a table declared in
  /// Swift are dropped if they use the column. When the declared table is next used, the objects
  /// that it still declares are created again. Any other object that uses the column is an
  /// obstacle: an index of several columns or with a condition on another column, a `CHECK` or
  /// `UNIQUE` constraint of the table, a foreign key in either direction, a trigger, a view, or an
  /// FTS5 table that was created in another way. Drop the obstacle first, or use
  /// ``rebuildTable(_:as:copying:dropping:where:)``.
  ///
  /// ```swift
  /// try db.dropColumn("blurb", of: "book")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no such column, if it is the only column or
  ///   a part of the primary key, or if there is an obstacle, whose name the error message
  ///   contains. In these cases, nothing is changed. (`ALTER TABLE … DROP COLUMN`)
  public func dropColumn(_ column: String, of table: String) throws {
    let operation = SchemaOperation("drop the column \(quoted(column)) of \(quoted(table))")
    try transaction { db in
      let check = try SchemaCheck(before: operation, in: db)
      try operation.drop([column], of: try operation.table(table, in: db), in: db)
      try check.requireIntact(after: operation, in: db)
    }
  }
}

extension SchemaOperation {
  /// Drops columns of a table, with the same effects and conditions as
  /// ``Connection/dropColumn(_:of:)``.
  func drop(_ names: [String], of table: SchemaObject, in db: Connection) throws {
    for name in names {
      let column = try column(name, of: table, in: db)
      try requireUnused(column, of: table, in: db)
      try dropDeclaredFullTextTables(of: table.name, losing: [name], in: db)
      try dropDeclaredIndexes(of: table.name, losing: [name], in: db)
      for index in try indexes(of: table.name, usingOnly: [name], in: db) {
        try db.execute("DROP INDEX main.\(identifier: index.name)")
      }
      if try db.isUnique(column, in: table.name) {
        try rebuild(table, without: column, in: db)
      } else {
        let alter = "ALTER TABLE main.\(table.name.quotedIdentifier)"
        try db.withLegacyAlterTable(false) { db in
          try run(
            "\(alter) DROP COLUMN \(column.name.quotedIdentifier)", in: db,
            suggestion: "\(Self.dropSuggestion), or use rebuildTable(_:as:)")
        }
      }
    }
  }

  private func requireUnused(
    _ column: SchemaColumn, of table: SchemaObject, in db: Connection
  ) throws {
    guard column.primaryKeyPosition == 0 else {
      throw failure(
        "the column \(quoted(column.name)) is part of the primary key",
        suggestion: "drop the column with rebuildTable(_:as:), and declare another primary key")
    }
    let reference = try db.references(to: table.name).first {
      $0.column?.folded == column.name.folded
    }
    if let reference {
      throw failure(
        "a foreign key of \(quoted(reference.table)) refers to the column \(quoted(column.name))",
        suggestion: """
          before this call, rebuild \(quoted(reference.table)) without the foreign key, with \
          rebuildTable(_:as:)
          """)
    }
    try requireNoRowIDReference(column, of: table, in: db)
  }

  /// Throws if a view or trigger uses a column whose name (`rowid`, `_rowid_` or `oid`) would refer
  /// to the hidden rowid after the column is dropped.
  ///
  /// Such a view or trigger compiles before and after the change, but with another meaning.
  private func requireNoRowIDReference(
    _ column: SchemaColumn, of table: SchemaObject, in db: Connection
  ) throws {
    guard TableLayout.rowIDNames.contains(column.name.folded) else { return }
    let user = try db.schema().first { object in
      guard object.kind == .view || object.kind == .trigger, let text = object.sql else {
        return false
      }
      let sql = TokenizedSQL(text)
      return sql.mentions(column.name) && sql.mentions(table.name)
    }
    guard let user else { return }
    throw failure(
      """
      the \(user.kind.rawValue) \(quoted(user.name)) uses the name \(quoted(column.name)), which \
      could mean the hidden rowid of \(quoted(table.name)) after the column is dropped
      """,
      suggestion: """
        drop the \(user.kind.rawValue) \(quoted(user.name)) before this call, and afterwards \
        create the \(user.kind.rawValue) again without the name \(quoted(column.name))
        """)
  }

  /// Rebuilds the table without a `UNIQUE` column, because `ALTER TABLE … DROP COLUMN` rejects
  /// `UNIQUE` columns.
  private func rebuild(
    _ table: SchemaObject, without column: SchemaColumn, in db: Connection
  ) throws {
    // Earlier columns may be dropped already.
    let current = try self.table(table.name, in: db)
    guard
      let rest = try statement(of: current).removing(column.name).flatMap(CreateTableStatement.init)
    else {
      guard try db.columns(of: table.name).count > 1 else {
        throw failure(
          "the table \(quoted(table.name)) has no other column",
          suggestion: "add another column, or drop the table")
      }
      throw failure(
        """
        the definition of the column \(quoted(column.name)) could not be removed from the CREATE \
        TABLE statement of \(quoted(table.name))
        """,
        suggestion: "drop the column with rebuildTable(_:as:)")
    }
    try TableRebuilding(
      operation: self, table: current, text: rest, expressions: [:], dropped: [column.name],
      condition: nil
    ).run(in: db)
  }
}

extension Connection {
  /// Returns whether a `UNIQUE` constraint of the table applies to this column alone.
  fileprivate func isUnique(_ column: SchemaColumn, in table: String) throws -> Bool {
    let indexes = try fetchAll(
      "SELECT name FROM pragma_index_list(\(table), 'main') WHERE origin = 'u'"
    ) { row in try row[0] as String }
    for index in indexes where try columns(ofIndex: index) == [column.name.folded] { return true }
    return false
  }

  /// Returns the columns of an index, with `nil` for an expression.
  func columns(ofIndex index: String) throws -> [ExactString?] {
    try fetchAll("SELECT name FROM pragma_index_info(\(index), 'main') ORDER BY seqno") { row in
      (try row[0] as String?)?.folded
    }
  }
}
