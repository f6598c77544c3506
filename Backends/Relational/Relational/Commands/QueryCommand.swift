public import UndercroftSQLite

/// Statements as ``Table`` makes them, to be read or run by themselves; a value, which does nothing before it is run.
///
/// What is bound is bound, and names are put in quotes.
public struct QueryCommand: Sendable {
  /// The statements, one after the other, with their values.
  public let statements: [SQL]

  /// Takes statements to be run together.
  public init(_ statements: [SQL]) { self.statements = statements }

  /// Takes one statement.
  public init(_ statement: SQL) { statements = [statement] }

  /// Runs the statements in one transaction, and returns how many rows they inserted, changed or deleted.
  @discardableResult
  public func run(in db: borrowing Connection) throws -> Int {
    if statements.count == 1, let statement = statements.first { return try db.execute(statement) }
    return try db.transaction { db in
      var count = 0
      for statement in statements { count += try db.execute(statement) }
      return count
    }
  }
}

extension QueryCommand: CustomStringConvertible {
  /// The SQL, with a `?` for each value.
  public var description: String { statements.map(\.text).joined(separator: ";\n") }
}
