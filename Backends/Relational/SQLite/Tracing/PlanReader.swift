import CSQLite
import UndercroftCore

/// Reads the plan of each statement that is compiled on one connection, and asks whether it will do.
final class PlanReader: StatementMonitor {
  private let connection: OpaquePointer
  private let check: @Sendable (PlanWarning) throws -> Void

  init(_ connection: OpaquePointer, _ check: @escaping @Sendable (PlanWarning) throws -> Void) {
    self.connection = connection
    self.check = check
  }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    guard let sql, !access.isPlanChecked else { return }
    try read(sql.text)
    access.isPlanChecked = true
  }

  private func read(_ sql: String) throws {
    // What cannot be explained has no plan: a PRAGMA, a statement about the schema.
    let lines = Statement.aside("EXPLAIN QUERY PLAN \(sql)", on: connection) { plan in
      sqlite3_column_text(plan, 3).map { String(cString: $0) } ?? ""
    }
    for warning in PlanWarning.all(in: lines, of: sql) { try check(warning) }
  }
}
