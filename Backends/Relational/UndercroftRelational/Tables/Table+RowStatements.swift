import UndercroftCore
import UndercroftSQLite

// The statements that write one row.

extension Table {
  /// Returns the statement that inserts a row.
  ///
  /// - Parameters:
  ///   - row: The values of the row.
  ///   - only: The indices of the columns to write, or `nil` for all columns that the row has a
  ///     value for.
  ///   - conflict: The action to perform if the row conflicts with an existing row.
  ///   - db: The connection to write to.
  func insertion(
    of row: RowValues<Record>, only: [Int]?, _ conflict: InsertConflict,
    in db: Connection
  ) throws -> RowStatement {
    if conflict == .replace { try requireReplacing(in: db) }
    if conflict == .fail, only == nil, row.record != nil {
      return RowStatement(
        .insert, SQL(unchecked: definition.insertion),
        returning: SQL(unchecked: statements.insertReturning),
        columnIndices: definition.writtenColumnIndices)
    }
    let columnIndices = only ?? columnIndices(of: row)
    let text = DMLBuilder.insert(into: definition, columnIndices, onConflict: conflict)
    return RowStatement(
      .insert, SQL(unchecked: text), columnIndices: columnIndices, reportsRecord: only == nil)
  }

  /// Verifies that replacing a row always updates the full-text index.
  ///
  /// If `PRAGMA recursive_triggers` is off, SQLite deletes the replaced rows without running delete
  /// triggers. The other triggers of the full-text index do not detect a row that is replaced
  /// because of a unique index of an expression (see ``FullTextTriggers``). The full-text index
  /// would retain the entry of such a row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the table has a full-text index and
  ///   `PRAGMA recursive_triggers` is off.
  func requireReplacing(in db: Connection) throws {
    guard definition.fullText != nil,
      try !db.fetchValue("PRAGMA recursive_triggers", as: Bool.self)
    else { return }
    throw StorageError.table(
      """
      cannot replace rows of the table \(quoted(name)): PRAGMA recursive_triggers is off, so \
      SQLite runs no delete trigger for a replaced row, and the full-text index of the table would \
      retain the old text
      """,
      suggestion: """
        call upsert instead, or execute PRAGMA recursive_triggers = ON in DatabaseOptions.setUp
        """)
  }

  /// Returns the statement that updates the stored row with the key of `row`.
  ///
  /// If `row` is a record that has no column to set, the statement only reads the row.
  ///
  /// - Parameter only: The indices of the columns to write, or `nil` for all columns that `row` has
  ///   a value for.
  /// - Throws: ``StorageError/Code/misuse`` if the table has no primary key, if the row has no
  ///   value for a key column, or if the row is a virtual record that supplies no column except the
  ///   key.
  func update(of row: RowValues<Record>, only: [Int]?) throws -> RowStatement {
    try requireKey(of: row)
    let keys = statements.keyColumnIndices
    if only == nil, row.record != nil, !statements.valueColumnIndices.isEmpty {
      return RowStatement(
        .update, SQL(unchecked: statements.update),
        returning: SQL(unchecked: statements.updateReturning),
        columnIndices: statements.valueColumnIndices + keys)
    }
    let values = (only ?? columnIndices(of: row)).filter { !keys.contains($0) }
    guard values.isEmpty else {
      let text = DMLBuilder.update(definition, values, where: keys)
      return RowStatement(
        .update, SQL(unchecked: text), columnIndices: values + keys, reportsRecord: only == nil)
    }
    guard row.record != nil else {
      let others = statements.valueColumnIndices.map { quoted(definition.columns[$0].name) }
      throw StorageError.table(
        """
        cannot update a row of the table \(quoted(name)): the record supplies no value for a \
        column outside the primary key
        """,
        suggestion: others.isEmpty
          ? "fetch the row instead, because the table has no other column that can be updated"
          : """
          supply a value for at least one of these columns, under the name of the column: \
          \(others.joined(separator: ", "))
          """)
    }
    return RowStatement(
      nil, selection(by: keys), returning: selection(by: keys), columnIndices: keys)
  }

  // MARK: Upserting

  /// Returns whether an upsert must find the existing row before it writes.
  ///
  /// SQLite checks all values of a new row before it detects that the row already exists. A missing
  /// value, or a value that would not be written to an existing row, could therefore violate a
  /// constraint. In addition, the checks in Swift depend on whether the row is inserted or updated.
  func findsRowFirst(_ upsert: RowOperation.Upsert, _ row: RowValues<Record>) throws -> Bool {
    if !codec.checks.isEmpty { return true }
    if upsert.assignments != nil { return false }
    let columnIndices = columnIndices(of: row)
    if requiredColumnIndices.contains(where: { !columnIndices.contains($0) }) { return true }
    let updated = updatedColumnIndices(upsert, row)
    return !columnIndices.allSatisfy {
      updated.contains($0) || statements.keyColumnIndices.contains($0)
        || upsert.target.named.contains($0)
    }
  }

  /// Returns the statement that inserts a row or updates the existing row.
  ///
  /// - Parameter operation: The operation whose checks the written row must pass.
  func upsert(
    of row: RowValues<Record>, _ upsert: RowOperation.Upsert,
    as operation: WriteOperation = .insert,
    in db: Connection
  ) throws -> RowStatement {
    let (columnIndices, targets) = (columnIndices(of: row), upsert.target.all)
    guard let assignments = upsert.assignments, !assignments.isEmpty, !columnIndices.isEmpty else {
      let updated = upsert.assignments == nil ? updatedColumnIndices(upsert, row) : []
      let text = statements.upsert(into: definition, columnIndices, updating: updated, on: targets)
      return RowStatement(
        operation, SQL(unchecked: text.plain), returning: SQL(unchecked: text.returning),
        columnIndices: columnIndices)
    }
    var sql = SQL(
      unchecked: DMLBuilder.insert(into: definition, columnIndices),
      arguments: try columnIndices.map { try value(of: $0, in: row) })
    for target in targets {
      let columns = DMLBuilder.names(target, of: definition)
      sql += SQL(unchecked: " ON CONFLICT (\(columns)) DO UPDATE SET ")
      assignments.write(to: &sql, of: definition)
    }
    return RowStatement(
      operation,
      try TableDefinition.ready(sql, reading: assignments.flatMap(\.tables), in: db),
      columnIndices: nil)
  }

  /// Searches for the existing row of an upsert, and returns the statement that updates this row,
  /// or inserts a row if there is none.
  func upsert(
    of row: RowValues<Record>, _ upsert: RowOperation.Upsert,
    byFindingRowIn db: Connection
  ) throws -> RowStatement {
    guard let found = try match(row, upsert.target, in: db) else {
      return try self.upsert(of: row, upsert, in: db)
    }
    if upsert.assignments != nil { return try self.upsert(of: row, upsert, as: .update, in: db) }
    let updated = updatedColumnIndices(upsert, row)
    let text = DMLBuilder.update(definition, updated, where: found)
    return RowStatement(.update, SQL(unchecked: text), columnIndices: updated + found)
  }

  /// Returns the indices of the columns that an upsert writes to an existing row.
  private func updatedColumnIndices(_ upsert: RowOperation.Upsert, _ row: RowValues<Record>)
    -> [Int]
  {
    columnIndices(of: row).filter { columnIndex in
      !statements.keyColumnIndices.contains(columnIndex)
        && (upsert.overwritingWithNil || !isNil(columnIndex, in: row))
        && upsert.only?.contains(columnIndex) != false
    }
  }

  /// The indices of the columns for which a new row must have a value.
  private var requiredColumnIndices: [Int] {
    definition.writtenColumnIndices.filter { columnIndex in
      let column = definition.columns[columnIndex]
      let isGenerated = statements.isKeyGenerated && column.isPrimaryKey
      return !column.isOptional && column.defaultValue == nil && !isGenerated
    }
  }

  // MARK: Finding a row

  /// Returns the first column set of `target` in which an existing row has the values of `row`, or
  /// `nil` if there is no such row.
  private func match(
    _ row: RowValues<Record>, _ target: UpsertTarget, in db: Connection
  ) throws -> [Int]? {
    let columnIndices = columnIndices(of: row)
    for columns in target.all where columns.allSatisfy({ columnIndices.contains($0) }) {
      if try find(row, by: columns, in: db, { _ in }) { return columns }
    }
    return nil
  }

  /// Calls `body` with the stored row that has the values of `row` in the given columns, and
  /// returns whether such a row exists.
  func find(
    _ row: RowValues<Record>, by columns: [Int], in db: Connection,
    _ body: (borrowing Row) throws -> Void
  ) throws -> Bool {
    try db.prepare(selection(by: columns)) { statement in
      try bind(row, columns, to: statement)
      return try statement.fetchOne { row in try body(row) } != nil
    }
  }

  private func selection(by columns: [Int]) -> SQL {
    let condition = DMLBuilder.equal(columns, in: definition)
    return SQL(
      unchecked:
        "SELECT \(definition.columnList) FROM \(definition.quotedName) WHERE \(condition)")
  }

  /// Verifies that the table has a primary key, and that the row has a value for each key column.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no primary key, or if a key value is
  ///   missing or `nil`.
  func requireKey(of row: RowValues<Record>) throws(StorageError) {
    guard !statements.keyColumnIndices.isEmpty else {
      throw StorageError.table(
        "cannot find the row of a record: the table \(quoted(name)) has no primary key",
        suggestion: "declare a primary key for the table, or select the row with where { … }")
    }
    for columnIndex in statements.keyColumnIndices where isMissing(columnIndex, in: row) {
      let column = definition.columns[columnIndex].name
      throw StorageError.table(
        """
        cannot find the row of a record in the table \(quoted(name)): the record's value for the \
        key column \(quoted(column)) is missing or nil
        """,
        suggestion: StorageError.missingKeySuggestion(column))
    }
  }

  /// Returns whether a row has no value or a `nil` value for a column.
  func isMissing(_ columnIndex: Int, in row: RowValues<Record>) -> Bool {
    switch row {
    case .record: isNil(columnIndex, in: row)
    case .supplied(let values):
      !values.columnIndices.contains(columnIndex) || values.nils.contains(columnIndex)
    }
  }
}
