import UndercroftSQLite

/// Rows of one table: which of them, in what order, how many; a value, which runs nothing by itself.
public struct TableQuery<Record>: Sendable {
  let table: Table<Record>
  var condition: Condition?
  var orders: [Ordering] = []
  var limit: Int?
  var offset = 0
  var isDistinct = false
  /// The words that are sought.
  var search: FullTextSearch?

  init(_ table: Table<Record>) { self.table = table }

  func with(_ change: (inout Self) -> Void) -> Self {
    var query = self
    change(&query)
    return query
  }

  /// The first of its rows alone, if it has one.
  var one: Self { with { $0.limit = Swift.min(1, $0.limit ?? 1) } }

  // MARK: SQL

  /// Whether it is nothing but the table.
  var isEverything: Bool {
    condition == nil && search == nil && orders.isEmpty && limit == nil && offset == 0
      && !isDistinct
  }

  var allColumns: SQL { SQL(unchecked: table.definition.columnList) }

  func statement(_ columns: SQL) -> SelectStatement {
    let found = search?.source(of: table.definition) ?? ""
    var statement = SelectStatement(
      columns, from: "\(SQL(unchecked: table.definition.quotedName))\(found)")
    statement.isDistinct = isDistinct
    statement.condition = condition
    statement.orders = orders
    statement.limit = limit
    statement.offset = offset
    return statement
  }

  func select(_ columns: SQL) -> SQL {
    var statement = statement(columns)
    search?.rank(&statement, of: table.definition)
    return statement.sql
  }

  /// The same, to be completed: what a search has found is in the order of that where no other was asked for.
  func projected(_ columns: SQL) -> SelectStatement {
    var statement = statement(columns)
    if let search, statement.orders.isEmpty { statement.orders = search.orders }
    return statement
  }

  /// The tables that it reads.
  var tables: [TableDefinition] {
    [table.definition] + (search.map { [$0.companion] } ?? []) + (condition?.tables ?? [])
      + orders.flatMap(\.tables)
  }

  /// Puts the common table expressions that it needs before a statement.
  func ready(_ sql: SQL, in db: borrowing Connection) throws -> SQL {
    try TableDefinition.ready(sql, reading: tables, in: db)
  }
}

extension Table {
  var columns: Columns<Record> { Columns(names: codec.names, qualified: statements.qualified) }

  /// The columns as an update names those that it sets.
  var settableColumns: Columns<Record> { Columns(names: codec.names) }
}
