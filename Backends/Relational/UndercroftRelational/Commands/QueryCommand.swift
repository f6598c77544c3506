public import UndercroftSQLite

/// A list of SQL statements that can be inspected or run.
///
/// Creating a command does not access the database.
///
/// The methods that create commands quote the names of tables and columns, and bind values where
/// SQLite accepts placeholders.
public struct QueryCommand: Sendable {
  /// The statements with their bound values, in the order in which they run.
  public let statements: [SQL]

  /// Creates a command from statements that run in one transaction.
  public init(_ statements: [SQL]) { self.statements = statements }

  /// Creates a command from one statement.
  public init(_ statement: SQL) { statements = [statement] }

  /// Runs the statements in one transaction, and returns the
  /// number of inserted, updated and deleted rows.
  @discardableResult
  public func run(in db: Connection) throws -> Int {
    if statements.count == 1, let statement = statements.first { return try db.execute(statement) }
    return try db.transaction { db in
      var count = 0
      for statement in statements { count += try db.execute(statement) }
      return count
    }
  }
}

extension QueryCommand: CustomStringConvertible {
  /// The SQL of the statements, with a `?` for each bound value.
  public var description: String { statements.map(\.text).joined(separator: ";\n") }
}
