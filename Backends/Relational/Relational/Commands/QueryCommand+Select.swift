import UndercroftCore
public import UndercroftSQLite

extension QueryCommand {
  /// Makes a `SELECT` of columns by their names, or of all.
  ///
  /// ```swift
  /// let command = QueryCommand.select(
  ///   ["title"], from: "book", where: "rating >= \(least)", orderBy: ["title"], limit: 20)
  /// let rows = try command.fetchAll(in: db)
  /// ```
  ///
  /// - Parameters:
  ///   - columns: names, which are put in quotes; none for all columns.
  ///   - table: a name, which is put in quotes.
  public static func select(
    _ columns: [String] = [], from table: String, isDistinct: Bool = false,
    where condition: SQL? = nil, groupBy groups: [SQL] = [], having: SQL? = nil,
    orderBy orders: [SQL] = [], limit: Int? = nil, offset: Int = 0
  ) -> Self {
    let names = columns.map { name -> SQL in "\(identifier: name)" }
    return select(
      names.isEmpty ? "*" : names.joined(separator: ", "), from: "\(identifier: table)",
      isDistinct: isDistinct, where: condition, groupBy: groups, having: having, orderBy: orders,
      limit: limit, offset: offset)
  }

  /// Makes a `SELECT` of any SQL: `select("count(*)", from: "book JOIN author USING (id)")`.
  public static func select(
    _ columns: SQL, from source: SQL, isDistinct: Bool = false, where condition: SQL? = nil,
    groupBy groups: [SQL] = [], having: SQL? = nil, orderBy orders: [SQL] = [],
    limit: Int? = nil, offset: Int = 0
  ) -> Self {
    var statement = SelectStatement(columns, from: source)
    statement.isDistinct = isDistinct
    statement.condition = condition.map { Condition($0) }
    statement.groups = groups
    statement.having = having.map { Condition($0) }
    statement.orders = orders.map { Ordering($0) }
    statement.limit = limit
    statement.offset = offset
    return QueryCommand(statement.sql)
  }

  /// Returns what `body` makes of each row of a command of one statement.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a command of none or several.
  public func fetchAll<Element>(
    in db: borrowing Connection, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    guard statements.count == 1, let statement = statements.first else {
      throw StorageError(
        .misuse, "cannot read rows of a command: it has \(statements.count) statements",
        cure: "make a command of one", backend: "sqlite")
    }
    return try db.query(statement, body)
  }

  /// Returns each row of a command of one statement, its values by the names of their columns.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when a name occurs twice, and for a command of no statement or several.
  public func fetchAll(in db: borrowing Connection) throws -> [ColumnValues] {
    try fetchAll(in: db) { row in ColumnValues(try row.dictionary()) }
  }
}
