public import Logging

extension StatementTracer {
  /// Writes a line for every statement that took as long as `threshold` or longer.
  public static func log(
    _ logger: Logger, at level: Logger.Level = .debug, slowerThan threshold: Duration = .zero,
    showsArguments: Bool = false
  ) -> StatementTracer {
    StatementTracer(showsArguments: showsArguments) { trace in
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
