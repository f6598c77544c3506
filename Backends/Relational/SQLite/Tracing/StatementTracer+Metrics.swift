public import Metrics

extension StatementTracer {
  /// Counts statements, their rows and the rows they scanned, and times them, under names that begin with `label`.
  ///
  /// - Parameter factory: where to; by default what the whole application measures with.
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
