/// Collects what the statements of a read look at.
final class RegionTracker: StatementMonitor {
  private(set) var region = Region.nothing

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    // What it reads of the schema or of nothing that is known by name may change with any commit.
    guard !access.reads.isEmpty, access.reads.keys.allSatisfy({ Self.isTable($0) }) else {
      region = .everything
      return
    }
    for (table, columns) in access.reads {
      // A table that is counted, and no more, has one empty column.
      let named = columns.subtracting([""])
      region = region.union(.table(table, columns: named.isEmpty ? nil : named))
    }
  }

  private static func isTable(_ name: String) -> Bool {
    let name = name.split(separator: ".").last ?? ""
    return !name.hasPrefix("sqlite_") && !name.hasPrefix("pragma_")
  }
}

extension Database {
  /// Runs `body` as ``read(_:)`` does and returns what it has looked at as well.
  func readTracked<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> (Result, Region) {
    try read { db in
      let tracker = RegionTracker()
      let state = db.state
      state.monitors.append(tracker)
      defer { state.monitors.removeAll { $0 === tracker } }
      state.checkSchema()
      return (try body(db), tracker.region)
    }
  }
}
