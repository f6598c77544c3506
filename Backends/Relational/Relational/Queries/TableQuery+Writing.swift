public import UndercroftSQLite

extension TableQuery {
  /// Deletes the rows, and returns how many there were.
  @discardableResult
  public func delete(in db: borrowing Connection) throws -> Int {
    _ = try readiness(in: db)
    return try db.execute("DELETE FROM \(identifier: table.name)\(rows)")
  }

  /// Sets columns of the rows, and returns how many there were: `update(in: db) { [$0.rating.set(to: 5)] }`.
  @discardableResult
  public func update(
    in db: borrowing Connection, _ assignments: (Columns<Record>) -> [Assignment]
  ) throws -> Int {
    _ = try readiness(in: db)
    let assignments = assignments(table.columns).map(\.sql)
    if assignments.isEmpty { return 0 }
    return try db.execute(
      "UPDATE \(identifier: table.name) SET \(assignments.joined(separator: ", "))\(rows)")
  }

  /// Its rows, as a condition where order and number matter: SQLite deletes and updates by condition alone.
  private var rows: SQL {
    guard limit != nil || search != nil else { return condition.map { " WHERE \($0.sql)" } ?? "" }
    return " WHERE rowid IN (\(select("\(SQL(unchecked: table.definition.quotedName)).rowid")))"
  }
}

/// A column and the value it is set to.
public struct Assignment: Sendable {
  let sql: SQL
}

extension Expression where Value: ColumnValue {
  /// Sets the column to a value.
  public func set(to value: Value) -> Assignment { Assignment(sql: "\(sql) = \(value)") }

  /// Sets the column to what an expression has as its value.
  public func set(to value: Expression<Value>) -> Assignment {
    Assignment(sql: "\(sql) = \(value.sql)")
  }
}
