import UndercroftSQLite

/// Rows of one table: which of them, in what order, how many; a value, which runs nothing by itself.
public struct TableQuery<Record>: Sendable {
  let table: Table<Record>
  var condition: Condition?
  var orders: [SQL] = []
  var limit: Int?
  var offset: Int?
  /// The words that are sought.
  var search: FullTextSearch?

  init(_ table: Table<Record>) { self.table = table }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var query = self
    change(&query)
    return query
  }

  /// Keeps the rows that fulfil `condition` as well.
  public func `where`(_ condition: (Columns<Record>) -> Condition) -> Self {
    let further = condition(table.columns)
    return with { $0.condition = $0.condition.map { $0 && further } ?? further }
  }

  /// Sorts by an expression, after those given before.
  public func order<Value>(_ by: (Columns<Record>) -> Expression<Value>) -> Self {
    with { $0.orders.append(by(table.columns).sql) }
  }

  /// Takes at most so many rows, after `offset` others.
  public func limit(_ count: Int, offset: Int = 0) -> Self {
    with { ($0.limit, $0.offset) = (count, offset) }
  }

  /// What it says in SQL, from `FROM` or `WHERE` on.
  var clauses: SQL {
    var sql: SQL = ""
    if let condition { sql = "\(sql) WHERE \(condition.sql)" }
    let orders = orders.isEmpty ? search?.orders ?? [] : orders
    if !orders.isEmpty { sql = "\(sql) ORDER BY \(orders.joined(separator: ", "))" }
    if let limit { sql = "\(sql) LIMIT \(max(0, limit))" }
    if let offset, offset > 0 { sql = "\(sql) OFFSET \(offset)" }
    return sql
  }

  func select(_ what: SQL) -> SQL {
    "SELECT \(what) FROM \(source)\(clauses)"
  }

  /// The table, and the rows that a search finds beside it.
  private var source: SQL {
    let name = table.definition.quotedName
    guard let search else { return SQL(unchecked: name) }
    var best: Int?
    if condition == nil, orders.isEmpty, let limit {
      best = max(0, limit).addingReportingOverflow(max(0, offset ?? 0)).partialValue
    }
    return search.source(name, best: best)
  }
}

extension Table {
  var columns: Columns<Record> { Columns(names: codec.names) }
}
