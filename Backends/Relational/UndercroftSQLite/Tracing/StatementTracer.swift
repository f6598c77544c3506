/// A handler that receives a report of every statement that runs on an open connection, including
/// the statements that this library itself runs.
///
/// ```swift
/// options.tracer = .log(Logger(label: "library"), slowerThan: .milliseconds(50))
/// ```
public struct StatementTracer: Sendable {
  let showsArguments: Bool
  let handler: @Sendable (StatementTrace) -> Void

  /// Creates a tracer that calls `handler` after each run of a statement.
  ///
  /// - Parameters:
  ///   - showsArguments: whether the SQL contains the bound values. These values may be
  ///     confidential. (`sqlite3_expanded_sql`)
  ///   - handler: called on the thread that ran the statement, while SQLite is ending the run. The
  ///     handler must not use the database. Statements that the handler causes to run are not
  ///     traced.
  public init(
    showsArguments: Bool = false, _ handler: @escaping @Sendable (StatementTrace) -> Void
  ) {
    self.showsArguments = showsArguments
    self.handler = handler
  }

  /// Returns a tracer that calls all given tracers, in order.
  ///
  /// If one of the tracers shows bound values, the SQL
  /// contains these values for all of the tracers.
  public static func all(_ tracers: StatementTracer...) -> StatementTracer {
    StatementTracer(showsArguments: tracers.contains { $0.showsArguments }) { trace in
      for tracer in tracers { tracer.handler(trace) }
    }
  }
}
