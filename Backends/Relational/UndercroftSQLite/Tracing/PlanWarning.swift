import UndercroftCore

/// A part of a query plan that becomes slow when the tables grow.
///
/// The type is an error, so that a test can throw it.
public struct PlanWarning: Error, Sendable, Equatable {
  /// The causes of slow queries.
  public enum Cause: Sendable, Equatable {
    /// A table, or one of its indexes, is read from the beginning to the end.
    case fullScan(table: String)
    /// Rows are sorted or deduplicated in a B-tree that is built for this run only.
    case temporaryTree
    /// An index is built for this run only.
    case automaticIndex
  }

  /// The cause of the warning.
  public let cause: Cause
  /// The line of the plan that shows the cause. (`EXPLAIN QUERY PLAN`)
  public let detail: String
  /// The SQL of the statement, with a placeholder for each bound value.
  public let sql: String

  /// Returns the warnings for the lines of a plan.
  static func all(in plan: [String], of sql: String) -> [PlanWarning] {
    // The results of subqueries, which the statement computes itself, have no index and need none.
    let own = plan.compactMap { line in
      let words = words(of: line)
      return ["CO-ROUTINE", "MATERIALIZE"].contains(words.first) ? words.last : nil
    }
    return plan.compactMap { PlanWarning($0, of: sql, besides: own) }
  }

  /// Splits a line into words at each space scalar.
  ///
  /// A space before a combining accent is not a `Character`
  /// of its own, so the line is not split by characters.
  private static func words(of line: String) -> [String] {
    line.unicodeScalars.split(separator: " ").map { String($0) }
  }

  /// Creates the warning for one line of a plan, or returns `nil` if the line shows no problem.
  ///
  /// - Parameters:
  ///   - detail: the line of the plan.
  ///   - sql: the statement.
  ///   - own: the names of the subquery results, whose full scans cause no warning.
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
    """
    the query plan may be slow: \(escaped(detail)), in the statement \
    \(StorageError.printable(sql)); create an index, or accept this plan in \
    DatabaseOptions.planCheck
    """
  }
}
