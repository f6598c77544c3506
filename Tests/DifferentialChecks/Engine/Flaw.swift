import UndercroftSQLite

/// Statements that make the library's results wrong on purpose, so that a test can prove that a
/// mode detects wrong results.
package struct Flaw: Sendable {
  private let statements: [String]

  /// Creates a flaw.
  ///
  /// - Parameter statements: SQL that is executed without the library's knowledge, such as a
  ///   trigger that changes the written values.
  package init(_ statements: String...) { self.statements = statements }

  func apply(in db: Connection) throws {
    for statement in statements { try db.execute(SQL(unchecked: statement)) }
  }
}
