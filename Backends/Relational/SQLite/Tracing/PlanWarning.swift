import UndercroftCore

/// Something in the plan of a statement that will be slow when its tables have grown.
///
/// It is an error, so that a test can throw it.
public struct PlanWarning: Error, Sendable, Equatable {
  /// What will be slow.
  public enum Cause: Sendable, Equatable {
    /// A table, or one of its indexes, is read from its beginning to its end.
    case fullScan(table: String)
    /// Rows are sorted or told apart by a tree made for this run alone.
    case temporaryTree
    /// An index is made for this run alone.
    case automaticIndex
  }

  /// What will be slow.
  public let cause: Cause
  /// The line of the plan that says so. (`EXPLAIN QUERY PLAN`)
  public let detail: String
  /// The statement with its placeholders.
  public let sql: String

  /// Reads the lines of a plan.
  static func all(in plan: [String], of sql: String) -> [PlanWarning] {
    // What the statement itself puts together has no index and needs none.
    let own = plan.compactMap { line in
      let words = words(of: line)
      return ["CO-ROUTINE", "MATERIALIZE"].contains(words.first) ? words.last : nil
    }
    return plan.compactMap { PlanWarning($0, of: sql, besides: own) }
  }

  /// Not by characters: a space before a name that begins with an accent is one with it.
  private static func words(of line: String) -> [String] {
    line.unicodeScalars.split(separator: " ").map { String($0) }
  }

  /// Reads one line of a plan; `nil` for a line without harm.
  private init?(_ detail: String, of sql: String, besides own: [String]) {
    self.detail = detail
    self.sql = sql
    let words = Self.words(of: detail)
    if detail.contains("TEMP B-TREE") {
      cause = .temporaryTree
    } else if detail.contains("AUTOMATIC") {
      cause = .automaticIndex
    } else if words.first == "SCAN", words.count > 1, !detail.contains("VIRTUAL TABLE"),
      !detail.contains("CONSTANT ROW"), words[1].utf8.first != UInt8(ascii: "("),
      !own.contains(where: { $0.isExactly(words[1]) })
    {
      cause = .fullScan(table: words[1])
    } else {
      return nil
    }
  }
}

extension PlanWarning: CustomStringConvertible {
  public var description: String {
    "\(detail): \(sql); make an index for it, or let it pass in planCheck"
  }
}
