public import UndercroftSQLite

/// Rows of one table: which of them, in what order, how many; a value, which runs nothing by itself.
public struct TableQuery<Record>: Sendable {
  let table: Table<Record>
  var condition: Condition?
  /// What is joined to the table to find or sort its rows, such as what a search has found: ` JOIN (…) ON …`.
  var source: SQL?
  var orders: [Ordering] = []
  var limit: Int?
  var offset = 0
  var isDistinct = false

  init(_ table: Table<Record>) { self.table = table }

  func with(_ change: (inout Self) -> Void) -> Self {
    var query = self
    change(&query)
    return query
  }

  /// Keeps the rows that fulfil `condition` as well.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> Self {
    adding(condition(table.columns))
  }

  /// Keeps the rows that fulfil a condition of SQL as well: `where("length(title) > \(least)")`.
  public func `where`(_ condition: SQL) -> Self { adding(Condition(condition)) }

  private func adding(_ further: Condition) -> Self {
    with { $0.condition = $0.condition.map { $0 && further } ?? further }
  }

  /// Sorts by an expression, after those given before: `order { $0.rating.descending }.order { $0.title }`.
  public func order(_ by: (Columns<Record>) -> some OrderingTerm) -> Self {
    with { $0.orders.append(by(table.columns).ordering) }
  }

  /// Takes at most so many rows, after `offset` others.
  public func limit(_ count: Int, offset: Int = 0) -> Self {
    with { ($0.limit, $0.offset) = (count, offset) }
  }

  /// Leaves out so many rows.
  public func offset(_ count: Int) -> Self { with { $0.offset = count } }

  /// Takes rows that are the same in all that is asked of them but once.
  public func distinct() -> Self { with { $0.isDistinct = true } }

  // MARK: SQL

  /// What it says in SQL: all columns of its rows.
  public var command: QueryCommand { QueryCommand(select(allColumns)) }

  var allColumns: SQL { SQL(unchecked: table.definition.columnList) }

  func statement(_ columns: SQL) -> SelectStatement {
    var statement = SelectStatement(
      columns, from: "\(SQL(unchecked: table.definition.quotedName))\(source ?? "")")
    statement.isDistinct = isDistinct
    statement.condition = condition
    statement.orders = orders
    statement.limit = limit
    statement.offset = offset
    return statement
  }

  func select(_ columns: SQL) -> SQL { statement(columns).sql }

  /// The tables that it reads.
  var tables: [TableDefinition] {
    [table.definition] + (condition?.tables ?? []) + orders.flatMap(\.tables)
  }

  /// Puts what stands in for tables that are not there yet before a statement.
  func ready(_ sql: SQL, in db: borrowing Connection) throws -> SQL {
    try TableDefinition.ready(sql, reading: tables, in: db)
  }
}

extension Table {
  var columns: Columns<Record> { Columns(names: codec.names) }
}

extension TableDefinition {
  /// Puts what stands in for tables that are not there yet, or lack columns, before a statement that reads them.
  static func ready(
    _ sql: SQL, reading tables: [TableDefinition], in db: borrowing Connection
  ) throws -> SQL {
    var standIns: [SQL] = []
    var seen: Set<ObjectIdentifier> = []
    for table in tables where seen.insert(ObjectIdentifier(table)).inserted {
      if let standIn = try table.standIn(in: db) { standIns.append(standIn) }
    }
    return standIns.isEmpty ? sql : "WITH \(standIns.joined(separator: ", ")) \(sql)"
  }
}
