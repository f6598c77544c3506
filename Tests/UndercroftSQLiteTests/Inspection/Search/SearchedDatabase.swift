import Foundation
import UndercroftInspection
import UndercroftSQLite

/// A database whose tables are searched in two ways.
struct SearchedDatabase {
  /// The rows that contain a text, and the number of all rows.
  struct Result: Equatable {
    var columns: [String] = []
    /// The rows with their positions in the table.
    var rows: [Int: [InspectedValue]] = [:]
    var count = 0
  }

  private let store: any SearchableTables

  /// Opens the database at `url` as the inspector opens it.
  init(at url: URL) throws {
    guard
      let store = try StoreInspectorFactory.sqlite.open(url, .init()) as? any SearchableTables
    else { throw Unsearchable() }
    self.store = store
  }

  private struct Unsearchable: Error {}

  /// Returns what the search through a table finds.
  func found(_ pattern: BytePattern, in table: String) throws -> Result {
    var result = Result()
    try store.forEachRow(of: table, searching: pattern, columns: { result.columns = $0 }) { step in
      switch step {
      case .skipped(let rows, _): result.count += rows
      case .row(let values):
        result.rows[result.count] = values
        result.count += 1
      }
      return true
    }
    return result
  }

  /// Returns what the search has to find, by reading every row.
  func expected(_ pattern: BytePattern, in table: String) throws -> Result {
    var result = Result()
    var searcher = ByteSearcher(pattern)
    try store.forEachRow(of: table, offset: 0, columns: { result.columns = $0 }) { values in
      if values.contains(where: { Self.contains($0, &searcher) }) {
        result.rows[result.count] = values
      }
      result.count += 1
      return true
    }
    return result
  }

  private static func contains(_ value: InspectedValue, _ searcher: inout ByteSearcher) -> Bool {
    switch value {
    case .null: false
    case .integer(let number): searcher.offset(in: "\(number)") != nil
    case .real(let number): searcher.offset(in: "\(number)") != nil
    case .text(let text): searcher.offset(in: text) != nil
    case .bytes(let bytes): searcher.offset(in: bytes) != nil
    }
  }
}
