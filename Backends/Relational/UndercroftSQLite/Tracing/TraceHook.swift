import CSQLite

/// A hook that reports the statements of one connection to a tracer. (`sqlite3_trace_v2`)
final class TraceHook {
  private let tracer: StatementTracer
  private var running: [OpaquePointer: Run] = [:]
  private var isReporting = false

  private struct Run {
    // The time that SQLite reports is measured in milliseconds only.
    let begin = ContinuousClock.now
    var rowCount = 0
  }

  init(_ tracer: StatementTracer) { self.tracer = tracer }

  /// Installs the hook on a connection.
  ///
  /// The connection must not outlive the hook, because
  /// SQLite stores an unretained reference to the hook.
  func install(on connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW),
      { event, context, subject, _ in
        guard let context, let subject else { return 0 }
        let hook = Unmanaged<TraceHook>.fromOpaque(context).takeUnretainedValue()
        let statement = OpaquePointer(subject)
        switch Int32(event) {
        // A trigger is reported as the statement that fired it, which is already running.
        case SQLITE_TRACE_STMT: hook.running[statement] = hook.running[statement] ?? Run()
        case SQLITE_TRACE_ROW: hook.running[statement]?.rowCount += 1
        default: hook.report(statement)
        }
        return 0
      }, context)
  }

  private func report(_ statement: OpaquePointer) {
    guard let run = running.removeValue(forKey: statement) else { return }
    // Statements of the handler are not reported, because their reports could repeat without end.
    if isReporting { return }
    isReporting = true
    defer { isReporting = false }
    tracer.handler(
      StatementTrace(
        sql: sql(of: statement), duration: ContinuousClock.now - run.begin, rowCount: run.rowCount,
        scannedRowCount: Self.status(SQLITE_STMTSTATUS_FULLSCAN_STEP, of: statement),
        sortCount: Self.status(SQLITE_STMTSTATUS_SORT, of: statement),
        indexedRowCount: Self.status(SQLITE_STMTSTATUS_AUTOINDEX, of: statement)))
  }

  private func sql(of statement: OpaquePointer) -> String {
    if tracer.showsArguments, let expanded = sqlite3_expanded_sql(statement) {
      defer { sqlite3_free(expanded) }
      return String(cString: expanded)
    }
    return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }

  /// Returns a counter of this run, and resets it for the next run. (`sqlite3_stmt_status`)
  private static func status(_ counter: Int32, of statement: OpaquePointer) -> Int {
    Int(sqlite3_stmt_status(statement, counter, 1))
  }
}
