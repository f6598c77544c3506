import UndercroftCore
public import UndercroftSQLite

extension QueryCommand {
  /// Returns a `SELECT` command for columns given by name, or for all columns.
  ///
  /// ```swift
  /// let command = QueryCommand.select(
  ///   ["title"], from: "book", where: "rating >= \(least)", orderBy: ["title"], limit: 20)
  /// let rows = try command.fetchAll(in: db)
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The names of the columns, which are quoted. If the array is empty, all columns
  ///     are selected.
  ///   - table: The name of the table, which is quoted.
  ///   - isDistinct: Whether equal rows are returned only once.
  ///   - condition: The condition of the rows, or `nil` for all rows.
  ///   - groups: The expressions to group the rows by.
  ///   - having: The condition of the groups, or `nil` for all groups.
  ///   - orders: The expressions to sort the rows by.
  ///   - limit: The maximum number of rows, or `nil` for all rows.
  ///   - offset: The number of rows to skip.
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

  /// Returns a `SELECT` command with columns and source in SQL:
  /// `select("count(*)", from: "book JOIN author USING (id)")`.
  ///
  /// All other parameters have the same meaning as in the `select` method that accepts columns by
  /// name.
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
    statement.orders = orders.map { SQLOrdering($0) }
    statement.limit = limit
    statement.offset = offset
    return QueryCommand(statement.sql)
  }

  /// Runs a command of one statement, and returns the result of `body` for each row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the command does not have exactly one statement.
  public func fetchAll<Element>(
    in db: Connection, _ body: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    guard statements.count == 1, let statement = statements.first else {
      let first = statements.first.map { ", the first of which is \(quoted($0.text))" } ?? ""
      throw StorageError(
        .misuse,
        "cannot read the rows of a command: the command has \(statements.count) statements\(first)",
        suggestion: "create a command with exactly one statement", backend: "sqlite")
    }
    return try db.fetchAll(statement, body)
  }

  /// Runs a command of one statement, and returns the values of each row, keyed by column name.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if two columns of the result have the same name, or if
  ///   the command does not have exactly one statement.
  public func fetchAll(in db: Connection) throws -> [ColumnValues] {
    try fetchAll(in: db) { row in ColumnValues(try row.dictionary()) }
  }
}
