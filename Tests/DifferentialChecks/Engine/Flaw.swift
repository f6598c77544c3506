import UndercroftSQLite

/// What makes the library's results wrong on purpose, so that a test can prove that a mode notices it.
package struct Flaw: Sendable {
  private let statements: [String]

  /// - Parameter statements: SQL that is run behind the library's back, such as a trigger that changes what is written.
  package init(_ statements: String...) { self.statements = statements }

  func apply(in db: borrowing Connection) throws {
    for statement in statements { try db.execute(SQL(unchecked: statement)) }
  }
}
