import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite

/// One row of the library, as change notifications identify it.
enum RowName: Hashable {
  case book(Int)
  case loan(Int)
  case visitors
  /// An unknown row of a table, if the change notification names no row.
  case anyOf(String)

  var table: String {
    switch self {
    case .book: "book"
    case .loan: "loan"
    case .visitors: "undercroft_entry"
    case .anyOf(let table): table
    }
  }
}

extension RowName {
  /// The table, if the change notification does not name the row.
  fileprivate var unnamed: String? {
    if case .anyOf(let table) = self { return table }
    return nil
  }
}

/// A comparison of the change notifications about the steps of a ``TransactionWalk`` with the rows
/// that the steps have committed.
final class CommitReports: Sendable {
  private let reports = Mutex<[(origin: Database.Origin, rows: Set<RowName>)]>([])
  /// The steps without a notification so far, with the rows that the notification must name, and
  /// the rows that it is allowed to name.
  private let due = Mutex<[Database.Origin: Expected]>([:])

  private struct Expected {
    var rows: Set<RowName> = []
    var uncertain: Set<RowName> = []
  }

  /// Observes the rows of a database.
  func observe(_ database: Database) throws -> Registration {
    try database.observe(.tables(["book", "loan", "undercroft_entry"]), detail: .rows) {
      [weak self] changes in
      // A commit of another process is reported without rows.
      guard let self, changes.origin != .external else { return }
      let rows = changes.tables.map { Set($0.flatMap(Self.names)) } ?? [.anyOf("any table")]
      reports.withLock { $0.append((changes.origin, rows)) }
    }
  }

  private static func names(of change: TableChange) -> [RowName] {
    guard let rows = change.rows else { return [.anyOf(change.table)] }
    return rows.map { row in
      switch (change.table, row.rowID) {
      case ("book", let id?): .book(Int(id))
      case ("loan", let id?): .loan(Int(id))
      case ("undercroft_entry", nil) where row.key == [.text("visitors")]: .visitors
      default: .anyOf(change.table)
      }
    }
  }

  /// Records the rows that a step has committed, and compares the notifications that have arrived
  /// so far with all recorded rows.
  ///
  /// - Returns: the difference, or `nil` if there is none.
  func expect(_ rows: LibraryRows, of origin: Database.Origin) -> String? {
    if !rows.changed.isEmpty || !rows.uncertain.isEmpty {
      due.withLock {
        $0[origin] = Expected(rows: rows.changed, uncertain: rows.uncertain)
      }
    }
    return compare()
  }

  private func compare() -> String? {
    let reports = reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
    for (origin, rows) in reports {
      let expected = due.withLock { $0.removeValue(forKey: origin) } ?? Expected()
      // If a notification does not name the rows of a table, all rows of the table count as
      // reported.
      let unnamed = Set(rows.compactMap(\.unnamed))
      let mayBe = expected.rows.union(expected.uncertain)
      let tables = Set(mayBe.map(\.table))
      let extra = rows.filter { row in
        row.unnamed.map { !tables.contains($0) } ?? !mayBe.contains(row)
      }
      if !extra.isEmpty {
        return "observers were notified of \(extra) by \(origin), which was not committed"
      }
      let missing = expected.rows.subtracting(rows).filter { !unnamed.contains($0.table) }
      if !missing.isEmpty { return "observers were not notified of \(missing) by \(origin)" }
    }
    return nil
  }

  /// Waits for the missing notifications.
  ///
  /// - Returns: the difference, or `nil` if there is none.
  func end() -> String? {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if let problem = compare() { return problem }
      if due.withLock({ $0.values.allSatisfy(\.rows.isEmpty) }) { return nil }
      usleep(1_000)
    }
    return "observers were not notified of \(due.withLock { $0.count }) commits"
  }
}
