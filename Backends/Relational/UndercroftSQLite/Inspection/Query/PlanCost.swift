import UndercroftCore
import UndercroftInspection

/// An estimate of the parts of a query plan that become slow when the tables grow.
struct PlanCost: Comparable {
  /// The number of tables that are read from the beginning to the end, or for which SQLite builds
  /// an index for one run only.
  let scanCount: Int
  /// The number of sort operations.
  let sortCount: Int

  init(_ steps: [QueryPlan.Step]) {
    let texts = steps.map(\.text.exact)
    // The results of subqueries have no index.
    let results = texts.compactMap { text in
      let words = Self.words(of: text)
      return ["CO-ROUTINE", "MATERIALIZE"].contains(words.first) ? words.last : nil
    }
    scanCount = texts.count { Self.isScan($0, besides: results) }
    sortCount = texts.count { $0.text.contains("TEMP B-TREE") }
  }

  static func < (lhs: PlanCost, rhs: PlanCost) -> Bool {
    (lhs.scanCount, lhs.sortCount) < (rhs.scanCount, rhs.sortCount)
  }

  /// Whether an index could make the plan faster.
  var isImprovable: Bool { scanCount > 0 || sortCount > 0 }

  private static func isScan(_ step: ExactString, besides results: [ExactString]) -> Bool {
    let words = words(of: step)
    if step.text.contains("AUTOMATIC") { return true }
    guard words.first == "SCAN", words.count > 1, !step.text.contains("CONSTANT ROW"),
      !words[1].begins(with: "("), !results.contains(words[1])
    else { return false }
    // A virtual table of named values that finds its rows itself has another number than 0.
    return !step.text.contains("VIRTUAL TABLE INDEX")
      || step.text.contains("VIRTUAL TABLE INDEX 0:")
  }

  private static func words(of step: ExactString) -> [ExactString] {
    // A space before a combining accent is not a `Character` of its own.
    step.text.unicodeScalars.split(separator: " ").map { String($0).exact }
  }
}
