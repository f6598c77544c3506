import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A search for a text in the names and values of a store.
struct StoreSearch {
  let pattern: BytePattern
  /// The parts in which the text is searched.
  var parts: Set<SearchMatch.Part> = [.name, .value]
  /// The redactor of secrets, or `nil` to show them.
  let redactor: Redactor?
  /// The search in values that are gzip data, or `nil` to search only their compressed bytes.
  var compressed: CompressedSearch?
  /// The progress, which counts values and rows.
  var progress: Progress?

  /// Passes each match in a store to `body`, until `body` returns `false`.
  ///
  /// If a table cannot be read, the other tables are searched before the error is thrown.
  ///
  /// - Returns: whether `body` needs more matches.
  func run(in store: OpenedStore, _ body: (SearchMatch) throws -> Bool) throws -> Bool {
    guard store.report.isTabular, let tables = try store.tables(countingRows: false) else {
      progress?.expect(store.report.entryCount)
      return try searchEntries(of: store, body)
    }
    progress?.expect(tables.reduce(0) { $0 + ($1.isView ? 0 : $1.rowCount ?? 0) })
    var failure: StorageError?
    // Views repeat what tables contain, and can have any number of rows.
    for table in tables where !table.isView {
      do {
        if try !search(table, of: store, body) { return false }
      } catch let error as StorageError where error.code != .busy {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return true
  }

  /// The condition for the values that can contain the text, also after decompression.
  private var filter: ValueFilter {
    ValueFilter(pattern, includesGzipData: compressed.map { $0.limit > 0 } ?? false)
  }

  private func searchEntries(
    of store: OpenedStore, _ body: (SearchMatch) throws -> Bool
  ) throws -> Bool {
    var searcher = ByteSearcher(pattern)
    var needsMore = true
    func searchName(_ name: String) throws {
      progress?.advance()
      guard parts.contains(.name), searcher.offset(in: name) != nil else { return }
      needsMore = try body(SearchMatch(part: .name, key: name, excerpt: name))
    }
    guard parts.contains(.value) else {
      try store.forEachEntry { entry in
        try searchName(entry.name)
        return needsMore
      }
      return needsMore
    }
    try store.forEachName(matching: filter) { name, bytes in
      try searchName(name)
      guard needsMore, let bytes,
        let (found, offset) = try match(in: bytes, named: name, &searcher)
      else { return needsMore }
      needsMore = try body(
        SearchMatch(
          part: .value, key: name, excerpt: excerpt(of: found, around: offset, named: name)))
      return needsMore
    }
    return needsMore
  }

  private func search(
    _ table: InspectedTable, of store: OpenedStore, _ body: (SearchMatch) throws -> Bool
  ) throws -> Bool {
    if parts.contains(.name), try !searchNames(of: table, body) { return false }
    guard parts.contains(.value) else { return true }
    var searcher = ByteSearcher(pattern)
    var needsMore = true
    var columns: [String] = []
    var keys = RowKeyEncoder(of: table, columns, redactor)
    var number = 0
    try store.forEachRow(
      of: table.name, matching: filter,
      columns: {
        columns = $0
        keys = RowKeyEncoder(of: table, $0, redactor)
      }
    ) { step in
      let row: [InspectedValue]
      switch step {
      case .skipped(let count, _):
        number += count
        progress?.advance(by: count)
        return true
      case .row(let values): row = values
      }
      number += 1
      progress?.advance()
      for (column, value) in zip(columns, row) {
        guard let (bytes, offset) = try match(in: value, named: column, &searcher) else { continue }
        let key = keys.primaryKeyText(of: row) ?? "#\(number)"
        needsMore = try body(
          SearchMatch(
            part: .value, table: table.name, key: key, column: column,
            excerpt: excerpt(of: bytes, around: offset, named: column)))
        guard needsMore else { return false }
      }
      return true
    }
    return needsMore
  }

  /// Searches the names of a table and of its columns.
  ///
  /// - Returns: whether `body` needs more matches.
  private func searchNames(
    of table: InspectedTable, _ body: (SearchMatch) throws -> Bool
  ) throws -> Bool {
    var searcher = ByteSearcher(pattern)
    for name in [table.name] + table.columns where searcher.offset(in: name) != nil {
      let column = name == table.name ? nil : name
      let match = SearchMatch(
        part: .name, table: table.name, key: table.name, column: column, excerpt: name)
      guard try body(match) else { return false }
    }
    return true
  }

  private func match(
    in value: InspectedValue, named column: String, _ searcher: inout ByteSearcher
  ) throws -> (Data, Int)? {
    let text: String
    switch value {
    case .null: return nil
    case .integer(let number): text = "\(number)"
    case .real(let number): text = "\(number)"
    case .text(let stored): text = stored
    case .bytes(let bytes): return try match(in: bytes, named: column, &searcher)
    }
    return searcher.offset(in: text).map { (Data(text.utf8), $0) }
  }

  /// Returns the bytes that contain the text, which are decompressed if the value is gzip data, and
  /// the offset of the text.
  private func match(
    in bytes: Data, named name: String, _ searcher: inout ByteSearcher
  ) throws -> (Data, Int)? {
    if let offset = searcher.offset(in: bytes) { return (bytes, offset) }
    return try compressed?.match(in: bytes, named: name)
  }

  private func excerpt(of bytes: Data, around offset: Int, named name: String) -> String {
    SearchExcerpt.text(of: bytes, around: offset, named: name, redactedBy: redactor)
  }
}
