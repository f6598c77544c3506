import UndercroftCore
import UndercroftInspection

/// A search in the overflow pages of rows. (SQLite file format, section 1.6)
///
/// Each page contains the number of the next page and a part of the row. SQLite usually stores the
/// parts of a large row in consecutive pages, so several pages are read at a time.
struct OverflowSearch: ~Copyable {
  /// The size of the longest pattern that is searched.
  ///
  /// A page contains at least 476 bytes of the row, so the pattern is on at most two pages.
  static let maximumPatternSize = 256

  private let pages: DatabasePages
  private var searcher: RowBytesSearcher
  private let run: PageRun
  /// The number of pages to read at a time, which grows while the parts of rows are in consecutive
  /// pages.
  private var runCount = 4
  /// The end of one part of the row, and after it the beginning of the next part.
  private let border: UnsafeMutableRawBufferPointer
  /// The number of pages that can still belong to rows.
  ///
  /// Each page belongs to one row, except in a damaged table, whose rows could otherwise be
  /// searched almost without end.
  private var remainingCount: Int

  init(_ filter: ValueFilter, in pages: DatabasePages) {
    self.pages = pages
    searcher = RowBytesSearcher(filter)
    let run = PageRun(of: pages)
    runCount = min(runCount, run.maximumCount)
    self.run = run
    remainingCount = Int(pages.count)
    border = .allocate(byteCount: 2 * Self.maximumPatternSize, alignment: 1)
  }

  deinit { border.deallocate() }

  /// Returns whether a pattern may be in the row of a cell, after or across the end of the part
  /// that is in the page of the cell; or `nil` if the pages cannot be read.
  mutating func mayFind(in cell: TablePage.Cell) -> Bool? {
    let overlap = min(searcher.patternSize, Self.maximumPatternSize) - 1
    var endSize = copyToBorder(cell.payload.suffix(overlap), at: 0)
    var rest = cell.overflowSize
    var next = cell.overflowPage
    while rest > 0 {
      let partSize = pages.usableSize - 4
      let count = min(
        runCount, (rest + partSize - 1) / partSize, Int(pages.count) - Int(next) + 1)
      guard run.read(next, count: count) else { return nil }
      let first = next
      var index = 0
      repeat {
        let page = run.page(index)
        let part = UnsafeRawBufferPointer(rebasing: page[4..<4 + min(partSize, rest)])
        let size = endSize + copyToBorder(part.prefix(overlap), at: endSize)
        if searcher.finds(in: UnsafeRawBufferPointer(rebasing: border[..<size])) { return true }
        endSize = copyToBorder(part.suffix(overlap), at: 0)
        rest -= part.count
        next = UInt32(bigEndian: page.loadUnaligned(as: UInt32.self))
        index += 1
      } while rest > 0 && index < count && Int(next) == Int(first) + index
      runCount = index < count ? index : min(2 * runCount, run.maximumCount)
      remainingCount -= index
      guard remainingCount >= 0 else { return nil }
      // Searching the run as a whole is faster than searching each page, but can also find the
      // pattern across a page number.
      if searcher.finds(in: run.prefix(index)) { return true }
    }
    return false
  }

  /// Copies bytes into ``border``, and returns their number.
  private func copyToBorder(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int) -> Int {
    UnsafeMutableRawBufferPointer(rebasing: border[offset...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
    return bytes.count
  }
}
