import UndercroftCore

/// Lists that are computed from the columns of a table once, because they are needed for each row.
final class ColumnLists: Sendable {
  /// The columns whose values are synchronised, in the order of their positions.
  let synced: [CapturedColumn]
  let syncedNames: Set<ExactString>
  let counters: Set<ExactString>

  init(_ columns: [CapturedColumn]) {
    synced = columns.filter { $0.role != .local }
    syncedNames = Set(synced.map { ExactString($0.name) })
    counters = Set(columns.filter { $0.role == .counter }.map { ExactString($0.name) })
  }
}

// The columns determine the lists, so that the lists never distinguish two tables.
extension ColumnLists: Hashable {
  static func == (lhs: ColumnLists, rhs: ColumnLists) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
