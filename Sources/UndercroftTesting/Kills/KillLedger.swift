import UndercroftCore
import UndercroftFoundation

/// The expected content of a store after the acknowledged batches, and its
/// comparison with the actual content.
struct KillLedger {
  let series: KillSeries
  private var values: [ExactString: Data] = [:]

  init(series: KillSeries) { self.series = series }

  /// Compares the content of the store with the content that the acknowledged batches must leave.
  ///
  /// The batch after the acknowledged ones was perhaps in progress when the writer was killed. So
  /// the value that this batch writes to a name is also accepted. Adds the differences to the
  /// counters of `report`. Afterwards, the actual content replaces the expected content for the
  /// next comparison.
  ///
  /// - Returns: a description of each difference.
  mutating func compare(
    _ acknowledged: Range<Int>, in backend: any StorageBackend, _ report: inout KillTest.Report
  ) throws -> [String] {
    for number in acknowledged { Self.enter(series.batch(number), in: &values) }
    let unacknowledged = series.batch(acknowledged.upperBound)
    var after = values
    Self.enter(unacknowledged, in: &after)

    var found: [ExactString: Data] = [:]
    for name in try backend.keys(withPrefix: "") { found[name.exact] = try backend.read(name) }
    var findings: [String] = []
    for name in Set(found.keys).union(values.keys).union(after.keys).sorted() {
      if found[name] == values[name] || found[name] == after[name] { continue }
      if isEarlier(found[name], name.text, than: acknowledged.upperBound) {
        report.lost += 1
        findings.append("\(quoted(name.text)) has lost an acknowledged change")
      } else {
        report.neverWritten += 1
        findings.append("\(quoted(name.text)) contains a value that was never written")
      }
    }
    classify(unacknowledged, after, found, backend.capabilities, &report, &findings)
    values = found
    return findings
  }

  private func classify(
    _ batch: [StorageChange], _ after: [ExactString: Data], _ found: [ExactString: Data],
    _ declared: Capabilities, _ report: inout KillTest.Report, _ findings: inout [String]
  ) {
    // Only names whose values the batch changes show whether it was applied.
    let decisive = batch.map(\.name.exact).filter { values[$0] != after[$0] }
    let applied = decisive.map { found[$0] == after[$0] }
    guard applied.contains(true), applied.contains(false) else { return }
    let count = applied.count { $0 }
    if declared.contains(.crashSafe) {
      report.halfBatches += 1
      findings.append("\(count) of \(decisive.count) changes of a batch are stored")
    } else if applied.prefix(count).contains(false) {
      report.neverWritten += 1
      findings.append("a batch was not applied in order")
    } else {
      report.declaredHalfBatches += 1
    }
  }

  /// Returns whether a value is absent, or was set under `name` by a batch before `number`.
  private func isEarlier(_ bytes: Data?, _ name: String, than number: Int) -> Bool {
    guard let bytes else { return true }
    let digits = bytes.prefix { $0 != UInt8(ascii: ":") }
    guard let stamp = Int(String(decoding: digits, as: UTF8.self)), stamp < number else {
      return false
    }
    return series.batch(stamp).contains(.set(name, bytes))
  }

  private static func enter(_ changes: [StorageChange], in values: inout [ExactString: Data]) {
    for change in changes {
      switch change {
      case .set(let name, let bytes): values[name.exact] = bytes
      case .remove(let name): values[name.exact] = nil
      }
    }
  }
}
