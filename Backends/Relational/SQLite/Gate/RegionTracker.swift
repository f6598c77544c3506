/// Collects what the statements of a read look at.
final class RegionTracker: StatementMonitor {
  private(set) var region = Region.nothing

  func willRun(_ sql: SQL, _ access: StatementAccess) throws {
    for (table, columns) in access.reads {
      // A table that is counted, and no more, has one empty column.
      let named = columns.subtracting([""])
      region = region.union(.table(table, columns: named.isEmpty ? nil : named))
    }
  }
}

extension Database {
  /// Runs `body` as ``read(_:)`` does and returns what it has looked at as well.
  func readTracked<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> (Result, Region) {
    try read { db in
      let tracker = RegionTracker()
      let cache = db.cache
      cache.monitors.append(tracker)
      defer { cache.monitors.removeAll { $0 === tracker } }
      return (try body(db), tracker.region)
    }
  }
}
