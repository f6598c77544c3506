import UndercroftCore
public import UndercroftSQLite

extension Connection {
  /// Takes a column out of a table, with what concerns this column alone.
  ///
  /// What goes with it are indexes of this column alone, and the constraints in its own definition. Whatever speaks of other columns too is never
  /// given up: an index of several columns, a `CHECK` or `UNIQUE` of the table, a foreign key in either direction, a trigger, a view, an FTS5 table
  /// made by hand. Drop that before, or write it anew with ``rebuildTable(_:as:copying:dropping:where:)``. The full-text table of a declared
  /// table that has the column goes as well, and is made anew at the table's next use.
  ///
  /// ```swift
  /// try db.dropColumn("blurb", of: "book")
  /// ```
  ///
  /// - Throws: ``StorageError/Code/misuse`` when there is no such column, when it is part of the primary key or the only one, and when something
  ///   stands in the way, which is named; nothing is changed then. (`ALTER TABLE … DROP COLUMN`)
  public func dropColumn(_ column: String, of table: String) throws {
    let work = SchemaWork("drop the column \(quoted(column)) of \(quoted(table))")
    try transaction { db in
      let check = try SchemaCheck(before: work, in: db)
      try work.drop([column], of: try work.table(table, in: db), in: db)
      try check.requireWhole(after: work, in: db)
    }
  }
}

extension SchemaWork {
  /// Takes columns out of a table.
  func drop(_ names: [String], of table: SchemaObject, in db: borrowing Connection) throws {
    for name in names {
      let column = try column(name, of: table, in: db)
      try requireFree(column, of: table, in: db)
      try release(wordsOf: table.name, losing: [name], in: db)
      for index in try db.indexes(of: column, in: table.name) {
        try db.execute("DROP INDEX main.\(identifier: index)")
      }
      if try db.isUnique(column, in: table.name) {
        try rebuild(table, without: column, in: db)
      } else {
        let alter = "ALTER TABLE main.\(table.name.asName)"
        try db.withLegacyAlterTable(false) { db in
          try run(
            "\(alter) DROP COLUMN \(column.name.asName)", in: db,
            cure: "\(Self.dropBefore), or write the table anew with rebuildTable(_:as:)")
        }
      }
    }
  }

  private func requireFree(
    _ column: TableColumn, of table: SchemaObject, in db: borrowing Connection
  ) throws {
    guard column.primaryKeyPosition == 0 else {
      throw failure("it is part of the primary key", cure: "call rebuildTable(_:as:)")
    }
    let reference = try db.references(to: table.name).first {
      $0.column?.folded == column.name.folded
    }
    if let reference {
      throw failure(
        "a foreign key of \(quoted(reference.table)) points to it",
        cure: "take that away before, with rebuildTable(_:as:)")
    }
  }

  /// SQLite itself drops no column that is `UNIQUE`.
  private func rebuild(
    _ table: SchemaObject, without column: TableColumn, in db: borrowing Connection
  ) throws {
    // Earlier columns may be gone already.
    let present = try self.table(table.name, in: db)
    guard let rest = try text(of: present).removing(column.name).flatMap(TableText.init) else {
      throw failure("its definition cannot be found", cure: "call rebuildTable(_:as:)")
    }
    try TableRebuilding(
      work: self, table: present, text: rest, expressions: [:], dropped: [column.name],
      condition: nil
    ).run(in: db)
  }
}

extension Connection {
  /// The indexes made by hand that have this column alone.
  fileprivate func indexes(of column: TableColumn, in table: String) throws -> [String] {
    try schema().filter {
      $0.kind == .index && $0.sql != nil && $0.table.folded == table.folded
    }.map(\.name).filter { try columns(ofIndex: $0) == [column.name.folded] }
  }

  /// Whether a constraint makes it unique by itself.
  fileprivate func isUnique(_ column: TableColumn, in table: String) throws -> Bool {
    let indexes = try query(
      "SELECT name FROM pragma_index_list(\(table), 'main') WHERE origin = 'u'"
    ) { row in try row[0] as String }
    for index in indexes where try columns(ofIndex: index) == [column.name.folded] { return true }
    return false
  }

  /// The columns of an index; `nil` for an expression.
  func columns(ofIndex index: String) throws -> [String?] {
    try query("SELECT name FROM pragma_index_info(\(index), 'main') ORDER BY seqno") { row in
      (try row[0] as String?)?.folded
    }
  }
}
