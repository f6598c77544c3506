import CSQLite
import UndercroftCore

/// Reads the plan of each statement that is compiled on one connection, and asks whether it will do.
final class PlanReader: StatementMonitor {
  private let connection: OpaquePointer
  private let check: @Sendable (PlanWarning) throws -> Void
  /// Whether the caller is being asked, whose own statements would be asked about in turn, for ever.
  private var isChecking = false

  init(_ connection: OpaquePointer, _ check: @escaping @Sendable (PlanWarning) throws -> Void) {
    self.connection = connection
    self.check = check
  }

  var goesByTables: Bool { false }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    guard let sql, !access.isPlanChecked, !isChecking else { return }
    isChecking = true
    defer { isChecking = false }
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
