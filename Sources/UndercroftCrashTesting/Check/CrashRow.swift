/// What one model found in one store: a line of the report.
package struct CrashRow: Sendable {
  /// The name of the subject.
  package let store: String
  /// Which examination: "kill", "power", "second" or "faults".
  package let model: String
  /// How many different states, or faults, there are.
  package internal(set) var planned = 0
  /// How many of them were tried.
  package internal(set) var tried = 0
  /// How many states the budget reached, equal ones included.
  package internal(set) var reached = 0
  /// How many states there are, equal ones included.
  package internal(set) var reachable = 0
  /// How many of those that were tried have each verdict.
  package internal(set) var counts: [CrashVerdict: Int] = [:]
  /// How many broken states have each order, by verdict.
  package internal(set) var orders: [CrashVerdict: [StateOrder: Int]] = [:]
  /// One line for each kind of broken promise, with what repeats it.
  package internal(set) var findings: [String] = []
  /// Remarks that are no broken promise, such as a compiler that is missing.
  package internal(set) var remarks: [String] = []

  init(store: String, model: String) {
    self.store = store
    self.model = model
  }

  /// Whether everything that was tried keeps the promises, and something was tried.
  package var isClean: Bool { tried > 0 && tried == counts[.kept, default: 0] && findings.isEmpty }

  /// Everything worth a remark, such as a budget that ended early.
  package var allRemarks: [String] {
    if reached == reachable { return remarks }
    return ["the budget ended after \(reached) of \(reachable) states, equal ones included"]
      + remarks
  }

  mutating func add(_ verdict: CrashVerdict, _ order: StateOrder? = nil) {
    tried += 1
    counts[verdict, default: 0] += 1
    if let order, verdict != .kept { orders[verdict, default: [:]][order, default: 0] += 1 }
  }
}

extension CrashRow: CustomStringConvertible {
  package var description: String {
    func count(_ verdict: CrashVerdict) -> Int { counts[verdict, default: 0] }
    let opened = tried - count(.unopenable)
    let columns = [
      "\(tried) of \(planned)", "\(opened)", "\(count(.kept) + count(.lost) + count(.misreported))",
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

  /// The line above the rows.
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
