/// A line in the report of a crash test, with the results of one kind of test for one store.
package struct CrashRow: Sendable {
  /// The name of the tested store.
  package let store: String
  /// The kind of test: "kill", "power", "second", "faults" or "ext4".
  package let model: String
  /// The number of different disk states, or of faults, that the test would try without a budget.
  ///
  /// If the budget was exhausted, the number of states is an estimate.
  package internal(set) var planned = 0
  /// The number of disk states or faults that were tried.
  package internal(set) var tried = 0
  /// The number of disk states that the test reached before it finished or exhausted its budget.
  ///
  /// Equal states are counted separately.
  package internal(set) var reached = 0
  /// The number of disk states that a crash can leave.
  ///
  /// Equal states are counted separately.
  package internal(set) var reachable = 0
  /// The number of tried states or faults for each verdict.
  package internal(set) var counts: [CrashVerdict: Int] = [:]
  /// The number of states that violate a guarantee, keyed by verdict and ``StateOrder``.
  package internal(set) var orders: [CrashVerdict: [StateOrder: Int]] = [:]
  /// Descriptions of violated guarantees, each with the command that repeats the test.
  ///
  /// If many states violate a guarantee in the same way, only the first of these states are
  /// described.
  package internal(set) var findings: [String] = []
  /// Remarks other than violated guarantees, such as a missing compiler.
  package internal(set) var remarks: [String] = []

  init(store: String, model: String) {
    self.store = store
    self.model = model
  }

  /// Whether at least one state or fault was tested, and none violated a guarantee.
  package var isClean: Bool {
    tried > 0 && tried == counts[.passed, default: 0] && findings.isEmpty
  }

  /// The remarks, preceded by a remark about the budget if the budget was exhausted.
  package var allRemarks: [String] {
    if reached == reachable { return remarks }
    return ["the budget ended after \(reached) of \(reachable) states, equal ones included"]
      + remarks
  }

  mutating func add(_ verdict: CrashVerdict, _ order: StateOrder? = nil) {
    tried += 1
    counts[verdict, default: 0] += 1
    if let order, verdict != .passed { orders[verdict, default: [:]][order, default: 0] += 1 }
  }
}

extension CrashRow: CustomStringConvertible {
  package var description: String {
    func count(_ verdict: CrashVerdict) -> Int { counts[verdict, default: 0] }
    let opened = tried - count(.unopenable)
    let columns = [
      "\(tried) of \(planned)", "\(opened)",
      "\(count(.passed) + count(.lost) + count(.misreported))",
      "\(count(.lost))",
      "\(count(.mixture))", "\(count(.unopenable))", "\(count(.unusable))",
      "\(count(.misreported))", "\(count(.differs))",
    ]
    let widths = [18, 8, 11, 6, 9, 11, 9, 12, 8]
    let head = Self.padded(store, 24) + Self.padded(model, 8)
    let numbers = zip(columns, widths).map { Self.rightAligned($0, $1) }.joined()
    let details = CrashVerdict.allCases.compactMap { verdict -> String? in
      guard let orders = orders[verdict] else { return nil }
      let parts = StateOrder.allCases.compactMap { order in
        orders[order].map { "\($0) \(order.rawValue)" }
      }
      return "\(verdict.rawValue): \(parts.joined(separator: ", "))"
    }
    return head + numbers
      + (details.isEmpty ? "" : "\n    " + details.joined(separator: "\n    "))
  }

  /// The line with the titles of the columns of the report.
  package static var heading: String {
    let titles = [
      ("tried", 18), ("opened", 8), ("consistent", 11), ("lost", 6), ("mixtures", 9),
      ("not opened", 11), ("unusable", 9), ("wrong error", 12),
      ("differs", 8),
    ]
    return padded("store", 24) + padded("model", 8)
      + titles.map { rightAligned($0.0, $0.1) }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func rightAligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
