import Foundation
import UndercroftInspection
import UndercroftSQLite

/// A database whose tables are searched in two ways.
struct SearchedDatabase {
  /// The rows with a value that fulfils a filter, and the number of all rows.
  struct Result: Equatable {
    var columns: [String] = []
    /// The rows with their positions in the table.
    var rows: [Int: [InspectedValue]] = [:]
    var count = 0
  }

  private let store: any SearchableTables

  /// Opens the database at `url` as the inspector opens it.
  ///
  /// - Parameter isLocked: whether a shared lock is held.
  init(at url: URL, isLocked: Bool = false) throws {
    let factory = StoreInspectorFactory.sqlite
    let open = isLocked ? factory.openLocked : factory.open
    guard let store = try open?(url, .init()) as? any SearchableTables else { throw Unsearchable() }
    self.store = store
  }

  private struct Unsearchable: Error {}

  /// Returns what the search through a table finds.
  func found(_ filter: ValueFilter, in table: String) throws -> Result {
    var result = Result()
    try store.forEachRow(of: table, matching: filter, columns: { result.columns = $0 }) { step in
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

  /// Returns what the search has to find, by reading and comparing every row.
  func expected(_ filter: ValueFilter, in table: String) throws -> Result {
    var result = Result()
    try store.forEachRow(of: table, offset: 0, columns: { result.columns = $0 }) { values in
      if values.contains(where: { Self.fulfils($0, filter) }) {
        result.rows[result.count] = values
      }
      result.count += 1
      return true
    }
    return result
  }

  private static func fulfils(_ value: InspectedValue, _ filter: ValueFilter) -> Bool {
    switch value {
    case .null: false
    case .integer(let number): contains(Data("\(number)".utf8), filter.pattern)
    case .real(let number): contains(Data("\(number)".utf8), filter.pattern)
    case .text(let text): contains(Data(text.utf8), filter.pattern)
    case .bytes(let bytes):
      contains(bytes, filter.pattern) || filter.includesGzipData && GzipData.isOne(bytes)
    }
  }

  private static func contains(_ bytes: Data, _ pattern: BytePattern) -> Bool {
    let text = pattern.ignoresCase ? Data(bytes.map(BytePattern.lowercased)) : bytes
    return text.range(of: Data(pattern.bytes)) != nil
  }
}
