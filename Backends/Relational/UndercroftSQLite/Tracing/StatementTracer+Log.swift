public import Logging

extension StatementTracer {
  /// Returns a tracer that logs every statement whose duration is at least `threshold`.
  ///
  /// - Parameters:
  ///   - logger: the logger that receives the statements.
  ///   - level: the log level, or `nil` for `.warning` if `threshold` is greater than zero, and for
  ///     `.debug` otherwise.
  ///   - threshold: the minimum duration of a logged statement.
  ///   - showsArguments: whether the bound values are logged. These values may be confidential.
  public static func log(
    _ logger: Logger, at level: Logger.Level? = nil, slowerThan threshold: Duration = .zero,
    showsArguments: Bool = false
  ) -> StatementTracer {
    let level = level ?? (threshold > .zero ? .warning : .debug)
    return StatementTracer(showsArguments: showsArguments) { trace in
      guard trace.duration >= threshold else { return }
      logger.log(
        level: level, "\(trace.sql)",
        metadata: [
          "microseconds": "\(Int(trace.duration / .microseconds(1)))",
          "rows": "\(trace.rowCount)",
          "scanned": "\(trace.scannedRowCount)",
          "sorts": "\(trace.sortCount)",
        ])
    }
  }
}
