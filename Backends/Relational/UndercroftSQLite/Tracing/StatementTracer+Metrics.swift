public import Metrics

extension StatementTracer {
  /// Returns a tracer that records the number and duration of statements, and
  /// counts the rows that the statements return or read without an index.
  ///
  /// The metrics are a timer, `<label>.statement`, and two
  /// counters, `<label>.rows` and `<label>.scanned_rows`.
  ///
  /// - Parameters:
  ///   - label: the beginning of the names of all metrics.
  ///   - factory: the factory that creates the metrics. The default is the factory of the whole
  ///     application.
  public static func metrics(
    label: String = "undercroft.sqlite", factory: any MetricsFactory = MetricsSystem.factory
  ) -> StatementTracer {
    let time = Timer(label: "\(label).statement", factory: factory)
    let rows = Counter(label: "\(label).rows", factory: factory)
    let scanned = Counter(label: "\(label).scanned_rows", factory: factory)
    return StatementTracer { trace in
      time.recordNanoseconds(Int64(clamping: Int(trace.duration / .nanoseconds(1))))
      rows.increment(by: trace.rowCount)
      scanned.increment(by: trace.scannedRowCount)
    }
  }
}
