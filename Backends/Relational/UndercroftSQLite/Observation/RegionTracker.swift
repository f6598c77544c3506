import CSQLite
import UndercroftCore

/// A statement monitor that records which tables and columns the statements of a read use.
final class RegionTracker: StatementMonitor {
  private let connection: OpaquePointer
  private(set) var region = Database.Region.nothing

  init(on connection: OpaquePointer) { self.connection = connection }

  func willRun(_ sql: SQL?, _ access: StatementAccess) throws {
    // Any commit may change the result of a statement that reads the schema, no table, or a virtual
    // table.
    guard !access.reads.isEmpty, access.reads.keys.allSatisfy({ Self.isTable($0.text) }),
      !readsVirtualTable(access)
    else {
      region = .everything
      return
    }
    for (table, columns) in access.reads {
      // If only the rows of a table are counted, its only column has an empty name.
      let named = columns.subtracting([""])
      let part = Database.Region.Part(columns: named.isEmpty ? nil : Set(named.map(\.text.folded)))
      region = region.union(Database.Region(parts: [table.text.folded: part]))
    }
  }

  /// Returns whether a statement reads a virtual table.
  ///
  /// The result of such a statement can change when another table changes, because a virtual table
  /// may show the content of that table. Examples are the vocabulary of a full-text index, and text
  /// in an external content table.
  private func readsVirtualTable(_ access: StatementAccess) -> Bool {
    if let known = access.readsVirtualTable { return known }
    let tables = Statement.internalQuery(
      "SELECT schema, name FROM pragma_table_list WHERE type = 'virtual'", on: connection
    ) { row in
      let parts = (0...1).map { column in
        sqlite3_column_text(row, column).map { String(cString: $0) } ?? ""
      }
      return Authorizer.name(parts[1], in: parts[0]).folded
    }
    let isFound = access.reads.keys.contains { tables.contains($0.text.folded) }
    access.readsVirtualTable = isFound
    return isFound
  }

  private static func isTable(_ name: String) -> Bool {
    let name = name.utf8.split(separator: UInt8(ascii: ".")).last ?? "".utf8[...]
    return !name.starts(with: "sqlite_".utf8) && !name.starts(with: "pragma_".utf8)
  }
}

extension Database {
  /// Runs `body` as ``read(_:)`` does, and also returns the region that `body` has read.
  ///
  /// - Parameter interruption: if it is cancelled, the statements of `body` are interrupted.
  func readTracked<Result>(
    _ interruption: Interruption, _ body: (Connection) throws -> Result
  ) throws -> (Result, Database.Region) {
    try reading(interruption: interruption) { connection in
      try interruption.interrupting(connection) { connection in
        try connection.transaction { db in
          let state = try db.state
          let tracker = RegionTracker(on: state.raw)
          state.monitors.append(tracker)
          defer { state.monitors.removeAll { $0 === tracker } }
          state.checkSchema()
          return (try body(db), tracker.region)
        }
      }
    }
  }
}
