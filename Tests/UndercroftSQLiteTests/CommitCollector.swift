import TestSupport
import UndercroftSQLite

/// A collector of the commits of which an observer is notified.
typealias CommitCollector = EventCollector<CommittedChanges>

extension EventCollector<CommittedChanges> {
  /// Removes the collected commits, and returns the changed tables of each commit, or `?` if the
  /// tables are unknown.
  func drainTables() -> [[String]] {
    drain().map { $0.tables?.map(\.table) ?? ["?"] }
  }

  /// Removes the collected commits, and returns the changed rows of the first table of the last
  /// commit.
  func drainRows() -> [RowChange]? { drain().last?.tables?.first?.rows }

  /// Waits for `count` commits of these tables, because another thread may deliver them.
  func waitForTables(_ tables: [String], count: Int = 1) -> Bool {
    var seen = 0
    return waitUntil {
      seen += drainTables().count { $0 == tables }
      return seen >= count
    }
  }
}
