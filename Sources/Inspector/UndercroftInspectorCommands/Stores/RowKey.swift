import Foundation
import UndercroftCore
import UndercroftInspection

/// The key of a row in its table: the values of the primary key or, without one, the whole row.
///
/// The text of a key can be shown. Two keys with the same text differ if a secret differs, or what
/// the text omits.
struct RowKey: Hashable {
  /// The key as text on one line, in which secrets are redacted.
  let text: ExactString
  /// A digest of the values that is the same only in this process.
  fileprivate let digest: Int
  /// The position among the rows with the same key, from 1.
  fileprivate let number: Int
}

/// An encoder of the rows of one table in one store as their keys.
///
/// The rows are passed in the order in which the store reads them, because equal rows are numbered.
struct RowKeyEncoder {
  /// The width in columns of the text of a row without a primary key.
  private static let maximumWidth = 60

  private let positions: [Int]?
  private var redactor: RowRedactor?
  private var numbers: [Int: Int] = [:]

  /// Creates an encoder for a table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - columns: the names of the columns of the rows.
  ///   - redactor: the redactor of secrets in keys, or `nil` to show them.
  init(of table: InspectedTable, _ columns: [String], _ redactor: Redactor?) {
    let positions = table.keyColumns.compactMap { columns.firstIndex(of: $0) }
    let isComplete = !positions.isEmpty && positions.count == table.keyColumns.count
    self.positions = isComplete ? positions : nil
    self.redactor = redactor.map {
      RowRedactor(isComplete ? positions.map { columns[$0] } : columns, $0)
    }
  }

  /// Returns the key of the next row.
  mutating func key(of row: [InspectedValue]) -> RowKey {
    if let values = primaryKey(of: row) {
      let digest = RowDigest.of(values)
      // SQLite allows several rows whose primary key contains NULL.
      let number = values.contains(.null) ? nextNumber(digest) : 1
      return RowKey(text: ExactString(text(values)), digest: digest, number: number)
    }
    let digest = RowDigest.of(row)
    let number = nextNumber(digest)
    let content = shown(row).map(\.brief).joined(separator: ", ")
    let text = DisplayWidth.truncated(content, to: Self.maximumWidth)
    return RowKey(text: ExactString("\(text) #\(number)"), digest: digest, number: number)
  }

  private mutating func nextNumber(_ digest: Int) -> Int {
    numbers[digest, default: 0] += 1
    return numbers[digest] ?? 1
  }

  /// Returns the values of the primary key as text, or `nil` if the table has no primary key.
  mutating func primaryKeyText(of row: [InspectedValue]) -> String? {
    primaryKey(of: row).map { text($0) }
  }

  private func primaryKey(of row: [InspectedValue]) -> [InspectedValue]? {
    positions.map { $0.map { row[$0] } }
  }

  private mutating func text(_ values: [InspectedValue]) -> String {
    shown(values).map(\.field).joined(separator: ", ")
  }

  private mutating func shown(_ values: [InspectedValue]) -> [ResultValue] {
    redactor?.redacted(values) ?? values.map { ResultValue($0) }
  }
}
