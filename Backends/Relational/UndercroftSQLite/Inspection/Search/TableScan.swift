import UndercroftCore
import UndercroftInspection

/// A search in the pages of a table, which finds the rows that may have a value that fulfils a
/// filter.
///
/// SQLite reads one page at a time and decodes each row, which takes seven times as much CPU time
/// as `grep` needs for the same bytes. The scan takes 1.2 times as much: it reads up to 128 KiB of
/// consecutive leaves at a time, and searches them as a whole. Rows are only decoded in a run of
/// leaves with a match.
struct TableScan: ~Copyable {
  enum Step {
    /// Rows without a value that fulfils the filter, and the size of their pages.
    case rows(Int, byteCount: Int)
    /// The rowid of a row that may have such a value.
    case candidate(Int64)
  }

  enum End {
    case complete
    /// The closure needs no more steps.
    case stopped
    /// A page is damaged, or has a form that the scan does not know.
    case unreadable
  }

  /// The maximum depth of a b-tree that SQLite reads. (`BTCURSOR_MAX_DEPTH`)
  private static let maximumDepth = 20

  private let pages: DatabasePages
  private var searcher: RowBytesSearcher
  private var overflow: OverflowSearch
  private let run: PageRun
  /// The number of pages that were read.
  ///
  /// A page is read twice only in a damaged table.
  private var readCount = 0
  /// The rows that were searched and not yet passed on, and the size of their pages.
  private var (rowCount, byteCount) = (0, 0)
  /// The rowid of the last row of the previous leaf.
  private var lastRowID: Int64?
  /// The number of rows that were passed on.
  private(set) var passedCount = 0

  init(_ filter: ValueFilter, in pages: DatabasePages) {
    self.pages = pages
    searcher = RowBytesSearcher(filter)
    overflow = OverflowSearch(filter, in: pages)
    run = PageRun(of: pages)
  }

  /// Passes the rows of the table whose b-tree begins at the page `root` to `body`, in the order of
  /// their rowids, until `body` returns another result than `.complete`.
  ///
  /// If the result is ``End/unreadable``, the first ``passedCount`` rows were passed.
  mutating func search(
    from root: UInt32, _ body: (Step) throws -> End
  ) throws -> End {
    let end = try visit([root], depth: 0, body)
    guard end != .stopped else { return end }
    let passed = try pass(body)
    return passed == .complete ? end : passed
  }

  private mutating func visit(
    _ numbers: [UInt32], depth: Int, _ body: (Step) throws -> End
  ) throws -> End {
    guard depth < Self.maximumDepth else { return .unreadable }
    var index = 0
    var mayBeLeaves = true
    while index < numbers.count {
      // All pages of a level have the same kind.
      let count = mayBeLeaves ? runCount(numbers[index...]) : 1
      guard run.read(numbers[index], count: count), let first = page(0) else {
        return .unreadable
      }
      readCount += first.kind == .leaf ? count : 1
      guard readCount <= Int(pages.count) else { return .unreadable }
      let end: End
      switch first.kind {
      case .leaf:
        end = try searchRun(count, body)
        index += count
      case .interior:
        mayBeLeaves = false
        guard let children = first.children else { return .unreadable }
        end = try visit(children, depth: depth + 1, body)
        index += 1
      }
      guard end == .complete else { return end }
    }
    return .complete
  }

  /// Returns how many of the pages at the beginning of `numbers` are consecutive, up to the size of
  /// a run.
  private func runCount(_ numbers: ArraySlice<UInt32>) -> Int {
    var last: UInt32?
    let consecutive = numbers.prefix(run.maximumCount).prefix { number in
      defer { last = number }
      return last.map { $0 < number && number - $0 == 1 } ?? true
    }
    return consecutive.count
  }

  private func page(_ index: Int) -> TablePage? { TablePage(run.page(index)) }

  private mutating func searchRun(_ count: Int, _ body: (Step) throws -> End) throws -> End {
    let isFound = searcher.finds(in: run.prefix(count))
    for index in 0..<count {
      guard let page = page(index), page.kind == .leaf else { return .unreadable }
      let isFound = isFound && searcher.finds(in: run.page(index))
      let end = try search(page, isFound: isFound, body)
      guard end == .complete else { return end }
    }
    return try pass(body)
  }

  private mutating func search(
    _ page: TablePage, isFound: Bool, _ body: (Step) throws -> End
  ) throws -> End {
    byteCount += pages.pageSize
    guard page.cellCount > 0 else { return .complete }
    guard let first = page.rowID(ofCell: 0), let last = page.rowID(ofCell: page.cellCount - 1),
      lastRowID.map({ $0 < first }) ?? true, first <= last
    else { return .unreadable }
    let maximumSize = TablePage.maximumLocalSize(usableSize: pages.usableSize)
    for index in 0..<page.cellCount {
      guard let size = page.payloadSize(ofCell: index) else { return .unreadable }
      if isFound || size > maximumSize {
        guard let cell = page.cell(index) else { return .unreadable }
        guard let isCandidate = mayContain(cell, isFound) else { return .unreadable }
        if isCandidate {
          var end = try pass(body)
          if end == .complete { end = try body(.candidate(cell.rowID)) }
          guard end == .complete else { return end }
          passedCount += 1
          continue
        }
      }
      rowCount += 1
    }
    lastRowID = last
    return .complete
  }

  private mutating func mayContain(_ cell: TablePage.Cell, _ isFound: Bool) -> Bool? {
    if isFound, searcher.finds(in: cell.payload) { return true }
    return cell.overflowSize == 0 ? false : overflow.mayFind(in: cell)
  }

  /// Passes the rows that were searched to `body`.
  private mutating func pass(_ body: (Step) throws -> End) throws -> End {
    guard rowCount > 0 else { return .complete }
    let step = Step.rows(rowCount, byteCount: byteCount)
    passedCount += rowCount
    (rowCount, byteCount) = (0, 0)
    return try body(step)
  }
}
