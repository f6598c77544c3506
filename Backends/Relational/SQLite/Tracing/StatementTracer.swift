/// Is told of every statement that was run on an open connection, those of the engine itself included.
///
/// ```swift
/// options.tracer = .log(Logger(label: "library"), slowerThan: .milliseconds(50))
/// ```
public struct StatementTracer: Sendable {
  let showsArguments: Bool
  let handler: @Sendable (StatementTrace) -> Void

  /// Makes a tracer.
  ///
  /// - Parameters:
  ///   - showsArguments: whether the values are written into the SQL; they may be nobody's business. (`sqlite3_expanded_sql`)
  ///   - handler: called on the thread that ran the statement, within it: it must not use the database, and whatever it makes that run is not
  ///     traced.
  public init(
    showsArguments: Bool = false, _ handler: @escaping @Sendable (StatementTrace) -> Void
  ) {
    self.showsArguments = showsArguments
    self.handler = handler
  }

  /// Tells each of several.
  public static func all(_ tracers: StatementTracer...) -> StatementTracer {
    StatementTracer(showsArguments: tracers.contains { $0.showsArguments }) { trace in
      for tracer in tracers { tracer.handler(trace) }
    }
  }
}
