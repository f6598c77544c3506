import TestSupport
import UndercroftSQLite

/// Collects the commits that an observer is notified of.
typealias CommitCollector = EventCollector<CommittedChanges>

extension EventCollector<CommittedChanges> {
  /// Removes the commits, and returns the changed tables of each, or `?` if they are unknown.
  func drainTables() -> [[String]] {
    drain().map { $0.tables?.map(\.table) ?? ["?"] }
  }

  /// Removes the commits, and returns the rows of the first table of the last one.
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
