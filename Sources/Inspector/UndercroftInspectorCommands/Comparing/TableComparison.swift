import Foundation
import UndercroftCore
import UndercroftInspection

/// The comparison of the rows of a table in two stores.
///
/// Rows with the same primary key are compared. Without a primary key, equal rows are compared by
/// their number. The memory depends on the number of rows of the first store, of which only keys
/// and digests are stored.
struct TableComparison {
  let kind: String
  let table: InspectedTable
  let excerpt: ValueExcerpt
  /// The progress, which counts each row that is read.
  let progress: Progress

  /// The maximum number of changed rows whose changed columns are described.
  private static let describedRows = 1_000

  /// Passes each difference to `body`, until `body` returns `false`.
  func run(_ old: OpenedStore?, _ new: OpenedStore?, _ body: (Difference) throws -> Bool) throws {
    var digests: [RowKey: Int] = [:]
    var oldColumns: [String]?
    if let old {
      try forEachRow(of: old) { key, columns, row in
        oldColumns = columns
        digests[key] = RowDigest.of(row)
        return true
      }
    }
    var changed: [RowKey: NamedRow] = [:]
    var needsMore = true
    if let new {
      try forEachRow(of: new) { key, columns, row in
        let row = NamedRow(columns, row)
        guard let digest = digests.removeValue(forKey: key) else {
          needsMore = try body(difference(.added, key, new: excerpt.text(of: row)))
          return needsMore
        }
        if digest != RowDigest.of(row.values(inOrderOf: oldColumns ?? columns)) {
          if changed.count < Self.describedRows {
            changed[key] = row
          } else {
            needsMore = try body(difference(.changed, key))
          }
        }
        return needsMore
      }
    }
    guard needsMore, let old, !digests.isEmpty || !changed.isEmpty else { return }
    try forEachRow(of: old) { key, columns, row in
      let row = NamedRow(columns, row)
      if let other = changed[key] {
        let (before, after) = row.differences(from: other)
        return try body(
          difference(
            .changed, key, old: before.columns.isEmpty ? nil : shown(before, changedTo: after),
            new: after.columns.isEmpty ? nil : shown(after, changedFrom: before)))
      }
      guard digests[key] != nil else { return true }
      return try body(difference(.removed, key, old: excerpt.text(of: row)))
    }
  }

  private func forEachRow(
    of store: OpenedStore, _ body: (RowKey, [String], [InspectedValue]) throws -> Bool
  ) throws {
    try store.forEachKeyedRow(of: table, excerpt.redactor) { key, columns, row in
      progress.advance()
      return try body(key, columns, row)
    }
  }

  // MARK: Descriptions

  private func difference(
    _ change: Difference.Change, _ key: RowKey, old: String? = nil, new: String? = nil
  ) -> Difference {
    let text = DisplayWidth.truncated(key.text.text, to: Difference.maximumKeyWidth)
    return Difference(
      change: change, kind: kind, table: table.name, key: text, old: old, new: new)
  }

  /// Returns the changed columns of a row as text on one line, in which secrets are redacted.
  private func shown(
    _ row: NamedRow, changedTo new: NamedRow? = nil, changedFrom old: NamedRow? = nil
  ) -> String {
    zip(row.columns, row.values).map { column, value in
      let text =
        if let other = new?.value(of: column) {
          ChangedValueText(value, other, named: column, excerpt).old
        } else if let other = old?.value(of: column) {
          ChangedValueText(other, value, named: column, excerpt).new
        } else {
          excerpt.text(of: value, named: column)
        }
      return "\(column)=\(text)"
    }.joined(separator: " ")
  }
}
