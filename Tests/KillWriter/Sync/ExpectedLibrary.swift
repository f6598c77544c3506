import UndercroftCore
import UndercroftSync

/// The rows that the server must contain after a sequence of edits.
struct ExpectedLibrary {
  private var rows: [String: [String: FieldValues]] = [:]

  /// Applies the edits of one transaction to the expected rows.
  mutating func enter(_ edits: [SyncEdit]) {
    for edit in edits {
      switch edit {
      case .lend(let loan, let values):
        let synced = values.map { SyncValue($0) }
        rows["loan", default: [:]][loan] = [
          "reader": synced[0], "note": synced[1], "fee": synced[2], "days": synced[3],
        ]
      case .extend(let loan, let days): rows["loan"]?[loan]?["days"] = .integer(days)
      case .settle(let loan): rows["loan"]?[loan] = nil
      case .visit(let branch, let amount):
        let sum =
          if case .integer(let sum)? = rows["branch"]?[branch]?["visits"] { sum } else { Int64(0) }
        rows["branch", default: [:]][branch] = ["visits": .integer(sum &+ amount)]
      case .rename(let book, let title):
        rows["book", default: [:]][book] = ["title": .text(title)]
      }
    }
  }

  /// Returns whether the contents of a server are exactly the expected rows.
  func isEqual(to contents: SyncContents) -> Bool {
    SyncPlace.tables.allSatisfy { differences(from: contents, in: $0.name).isEmpty }
  }

  /// Returns each row of a table whose expected columns differ from those on the server.
  ///
  /// A row that is missing on one side has `nil` there.
  func differences(
    from contents: SyncContents, in table: String
  ) -> [(row: String, expected: FieldValues?, found: FieldValues?)] {
    let (expected, found) = (rows[table] ?? [:], contents.rows[table] ?? [:])
    return Set(expected.keys).union(found.keys).sorted()
      .filter { expected[$0] != found[$0]?.fields }
      .map { ($0, expected[$0], found[$0]?.fields) }
  }
}
