import Foundation
import UndercroftCore
import UndercroftInspection

/// The comparison of the rows of a table in two stores.
///
/// Rows with the same primary key are compared. Without a primary key, equal rows are compared by
/// their number. The memory depends on the number of rows of the first store, of which only
/// digests are stored.
struct TableComparison {
  let kind: String
  let table: InspectedTable
  let excerpt: ValueExcerpt
  /// The progress, which counts each row that is read, or `nil` for none.
  var progress: Progress?

  /// The maximum number of changed rows whose changed columns are described.
  private static let describedRows = 1_000

  /// Passes each difference to `body`, until `body` returns `false`.
  func run(_ old: OpenedStore?, _ new: OpenedStore?, _ body: (Difference) throws -> Bool) throws {
    var digests = try old.map { try self.digests(of: $0) } ?? [:]
    var changed: [ExactString: [InspectedValue]] = [:]
    var needsMore = true
    if let new {
      try forEachRow(of: new) { key, columns, row in
        guard let digest = digests.removeValue(forKey: key) else {
          needsMore = try body(difference(.added, key, new: shown(columns, row)))
          return needsMore
        }
        if digest != Self.digest(row) {
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
      if let other = changed[key] { return try body(changes(key, columns, row, other)) }
      guard digests[key] != nil else { return true }
      return try body(difference(.removed, key, old: shown(columns, row)))
    }
  }

  // MARK: Rows

  private func digests(of store: OpenedStore) throws -> [ExactString: Int] {
    var digests: [ExactString: Int] = [:]
    try forEachRow(of: store) { key, _, row in
      digests[key] = Self.digest(row)
      return true
    }
    return digests
  }

  /// Passes each row with its key to `body`.
  func forEachRow(
    of store: OpenedStore, _ body: (ExactString, [String], [InspectedValue]) throws -> Bool
  ) throws {
    var columns: [String] = []
    var numbers: [ExactString: Int] = [:]
    try store.forEachRow(
      of: table.name,
      columns: { columns = $0 },
      row: { row in
        progress?.advance()
        if let key = table.key(of: row, columns) {
          return try body(ExactString(key), columns, row)
        }
        let content = ExactString(row.map(Self.text).joined(separator: ", "))
        numbers[content, default: 0] += 1
        let key = ExactString("\(content.text) #\(numbers[content] ?? 1)")
        return try body(key, columns, row)
      })
  }

  private static func text(_ value: InspectedValue) -> String { ResultValue(value).field }

  /// Returns a digest of a row that is the same only in this process.
  static func digest(_ row: [InspectedValue]) -> Int {
    var hasher = Hasher()
    for value in row {
      switch value {
      case .null: hasher.combine(0)
      case .integer(let number): hasher.combine(number)
      case .real(let number): hasher.combine(number.bitPattern)
      case .text(let text):
        hasher.combine(2)
        for byte in text.utf8 { hasher.combine(byte) }
      case .bytes(let bytes):
        hasher.combine(3)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    }
    return hasher.finalize()
  }

  // MARK: Descriptions

  private func difference(
    _ change: Difference.Change, _ key: ExactString, old: String? = nil, new: String? = nil
  ) -> Difference {
    Difference(
      change: change, kind: kind, table: table.name,
      key: DisplayWidth.truncated(key.text, to: 60), old: old, new: new)
  }

  private func changes(
    _ key: ExactString, _ columns: [String], _ old: [InspectedValue], _ new: [InspectedValue]
  ) -> Difference {
    let changed = zip(columns, zip(old, new)).filter { $0.1.0 != $0.1.1 }
    return difference(
      .changed, key, old: shown(changed.map(\.0), changed.map(\.1.0)),
      new: shown(changed.map(\.0), changed.map(\.1.1)))
  }

  func shown(_ columns: [String], _ row: [InspectedValue]) -> String {
    zip(columns, row).map { "\($0)=\(excerpt.text(of: $1, named: $0))" }.joined(separator: " ")
  }
}
