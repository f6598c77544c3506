import UndercroftMigration
import UndercroftSQLite

extension SchemaChanges {
  /// Splits a table vertically, checks the new table, and sometimes merges both tables again.
  func splitAndMerge(_ draft: inout TableDraft, in db: Connection) throws {
    guard let key = draft.key?.name, draft.columns.count > 2 else { return }
    let moved = draft.columns.indices.filter {
      !draft.columns[$0].isKey && trial.choices.oneIn(2)
    }
    guard !moved.isEmpty, moved.count < draft.columns.count - 1 else { return }
    let names = moved.map { draft.columns[$0].name }
    let whole = draft
    trial.note("split \(names) off by the key \(key)")
    let table = draft.name
    let isSplit = try apply("split table", to: &draft, in: db) { db in
      try db.splitTable(table, moving: names, to: "detail", key: key)
    } _: { draft in
      for place in moved.reversed() {
        draft.columns.remove(at: place)
        for row in draft.rows.indices { draft.rows[row].remove(at: place) }
      }
      draft.indexes.removeAll { $0.mentions.isSubset(of: names) }
    }
    guard isSplit else { return }
    try checkRows(of: draft, in: db)
    try checkDetails(of: draft, whole, moved, key, in: db)
    guard trial.choices.oneIn(2) else {
      try db.execute("DROP TABLE detail")
      return
    }
    trial.note("merge it again")
    let isMerged = try apply("merged table", to: &draft, in: db) { db in
      try db.mergeTable("detail", into: table, key: key)
    } _: { draft in
      draft = whole.reordered(movingLast: moved)
    }
    if !isMerged { try db.execute("DROP TABLE detail") }
  }

  /// Checks that each row together with its detail equals the original row.
  private func checkDetails(
    of draft: TableDraft, _ whole: TableDraft, _ moved: [Int], _ key: String,
    in db: Connection
  ) throws {
    let expected = whole.reordered(movingLast: moved).rows.map { "\($0)" }.sorted()
    let columns =
      draft.columns.map { "base.\($0.name.sqlName)" }
      + moved.map { "detail.\(whole.columns[$0].name.sqlName)" }
    let name = key.sqlName
    try trial.check("rows with their details", expected) {
      try db.fetchAll(
        SQL(
          unchecked:
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(draft.name.sqlName) AS base
            JOIN detail ON detail.\(name) = base.\(name)
            """)
      ) { row in
        let cells = try (0..<row.count).map { place -> Cell in
          switch try row.value(at: place) {
          case .integer(let number): .integer(number)
          case .text(let text): .text(text)
          default: .null
          }
        }
        return "\(cells)"
      }.sorted()
    }
  }
}

extension TableDraft {
  /// Returns the same table with some columns moved to the end.
  func reordered(movingLast moved: [Int]) -> TableDraft {
    let order = columns.indices.filter { !moved.contains($0) } + moved
    var draft = self
    draft.columns = order.map { columns[$0] }
    draft.rows = rows.map { row in order.map { row[$0] } }
    return draft
  }
}
