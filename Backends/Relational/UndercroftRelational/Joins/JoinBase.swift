import UndercroftCore
import UndercroftSQLite

/// The parts of a join that are independent of the types of its records.
struct JoinBase: Sendable {
  /// The `SELECT` statement of the join, without the list of selected columns.
  var statement: SelectStatement
  private(set) var aliases: [String]
  private var tables: [TableDefinition]

  init<Record>(_ first: TableQuery<Record>) {
    let alias = first.table.name
    statement = SelectStatement("", from: Self.named(first, alias))
    aliases = [alias]
    tables = first.tables
  }

  /// Returns an unused alias for a table: the name of the table, followed by a number from 2
  /// upwards if the name is already used.
  func alias(for name: String) -> String {
    let used = SQLName.folded(aliases)
    var (alias, number) = (name, 1)
    while used.contains(SQLName.folded(alias)) {
      number += 1
      alias = "\(name)\(number)"
    }
    return alias
  }

  /// Returns a join with another table, with or without a condition.
  ///
  /// - Parameters:
  ///   - word: The join operator in SQL, such as `LEFT JOIN`.
  ///   - other: The query of the rows to join.
  ///   - alias: The alias of the other table in the join.
  ///   - addsPresenceColumn: Whether ``OptionallyJoined/presenceColumn`` is added to the table.
  ///   - condition: The condition of the `ON` clause, or `nil` for no clause.
  func joining<Record>(
    _ word: StaticString, _ other: TableQuery<Record>, as alias: String,
    addsPresenceColumn: Bool = false,
    on condition: Condition?
  ) -> Self {
    var base = self
    base.statement.source +=
      " \(SQL.raw(word)) \(Self.named(other, alias, addsPresenceColumn: addsPresenceColumn))"
    if let condition { base.statement.source += " ON \(condition.sql)" }
    base.aliases.append(alias)
    base.tables += other.tables + (condition?.tables ?? [])
    return base
  }

  /// Returns one table of the join and its alias, in the syntax of `FROM`.
  ///
  /// If the query selects all rows, the SQL contains the name of the table. Otherwise, the SQL
  /// contains a subquery.
  ///
  /// - Parameter addsPresenceColumn: Whether to add a column whose value is 1 to the columns of the
  ///   table. If `true`, the SQL always contains a subquery. In a left join, the added column is
  ///   NULL if no row of the table is found.
  private static func named<Record>(
    _ query: TableQuery<Record>, _ alias: String, addsPresenceColumn: Bool = false
  ) -> SQL {
    if addsPresenceColumn {
      let presenceColumn: SQL = ", 1 AS \(identifier: OptionallyJoined<Record>.presenceColumn)"
      return "(\(query.select(query.allColumns + presenceColumn))) AS \(identifier: alias)"
    }
    let name = SQL(unchecked: query.table.definition.quotedName)
    return query.isEverything
      ? "\(name) AS \(identifier: alias)"
      : "(\(query.select(query.allColumns))) AS \(identifier: alias)"
  }

  func selecting(_ columns: SQL) -> SelectStatement {
    var statement = statement
    statement.columns = columns
    return statement
  }

  var allTables: [TableDefinition] { tables + statement.tables }

  func ready(_ sql: SQL, in db: Connection) throws -> SQL {
    try TableDefinition.ready(sql, reading: allTables, in: db)
  }
}
