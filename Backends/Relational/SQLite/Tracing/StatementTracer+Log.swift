public import Logging

extension StatementTracer {
  /// Writes a line for every statement that took as long as `threshold` or longer.
  ///
  /// - Parameter level: `nil` writes slow statements as a warning, and without a threshold all of them for debugging.
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
