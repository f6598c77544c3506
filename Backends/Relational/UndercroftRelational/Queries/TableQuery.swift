import UndercroftSQLite

/// A query of the rows of one table, with conditions, order and limit.
///
/// Creating the query does not access the database.
public struct TableQuery<Record>: Sendable {
  let table: Table<Record>
  var condition: Condition?
  var orders: [SQLOrdering] = []
  var limit: Int?
  var offset = 0
  var isDistinct = false
  /// The full-text search that restricts the rows, or `nil` if the query has no search.
  var search: FullTextSearch?

  init(_ table: Table<Record>) { self.table = table }

  func with(_ change: (inout Self) -> Void) -> Self {
    var query = self
    change(&query)
    return query
  }

  /// A copy of this query that returns at most the first row.
  var one: Self { with { $0.limit = Swift.min(1, $0.limit ?? 1) } }

  // MARK: SQL

  /// Whether the query selects all rows of the table, in no particular order.
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

  /// Returns the statement that selects the given columns of the query's rows.
  ///
  /// A projection can add further clauses to the statement.
  ///
  /// If the query has a search and no sort term, the rows are sorted by rank.
  func projected(_ columns: SQL) -> SelectStatement {
    var statement = statement(columns)
    if let search, statement.orders.isEmpty { statement.orders = search.orders }
    return statement
  }

  /// The tables that the query reads.
  var tables: [TableDefinition] {
    [table.definition] + (search.map { [$0.companion] } ?? []) + (condition?.tables ?? [])
      + orders.flatMap(\.tables)
  }

  /// Returns a statement with the common table expressions that the query needs.
  ///
  /// On a writing connection, the tables of the query are first reconciled with their declarations:
  /// created, or extended by missing columns and indexes.
  func ready(_ sql: SQL, in db: Connection) throws -> SQL {
    try TableDefinition.ready(sql, reading: tables, in: db)
  }
}

extension Table {
  var columns: Columns<Record> { Columns(names: codec.names, qualified: statements.qualified) }
}
