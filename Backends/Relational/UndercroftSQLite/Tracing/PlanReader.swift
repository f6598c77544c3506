import CSQLite
import UndercroftCore

/// A monitor that reads the query plan of each statement that the
/// application runs on one connection, and passes the warnings
/// about the plan to the check in ``DatabaseOptions/planCheck``.
///
/// A plan that the check has accepted is not read again for the same compiled statement. Statements
/// that read the schema are not checked: no index can make them faster, and the library itself runs
/// such statements to compare tables with their declarations.
final class PlanReader: StatementMonitor {
  private let connection: OpaquePointer
  private let check: @Sendable (PlanWarning) throws -> Void
  /// Whether the check is running.
  ///
  /// The plans of statements that the check itself runs are not
  /// checked, because each check could cause another one, without end.
  private var isChecking = false

  init(_ connection: OpaquePointer, _ check: @escaping @Sendable (PlanWarning) throws -> Void) {
    self.connection = connection
    self.check = check
  }

  var dependsOnSchema: Bool { false }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    guard let sql, !access.isPlanChecked, !isChecking, !access.readsSchema else { return }
    isChecking = true
    defer { isChecking = false }
    try read(sql.text)
    access.isPlanChecked = true
  }

  private func read(_ sql: String) throws {
    // `EXPLAIN QUERY PLAN` fails for a PRAGMA and for statements that change
    // the schema. These have no plan.
    let lines = Statement.internalQuery("EXPLAIN QUERY PLAN \(sql)", on: connection) { plan in
      sqlite3_column_text(plan, 3).map { String(cString: $0) } ?? ""
    }
    for warning in PlanWarning.all(in: lines, of: sql) { try check(warning) }
  }
}
