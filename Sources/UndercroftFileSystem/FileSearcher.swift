package import UndercroftCore
package import UndercroftInspection

/// A search for a text in one file after another, with a buffer that all files share.
package struct FileSearcher: ~Copyable {
  /// The number of bytes that are read at a time.
  ///
  /// A piece must fit into the second-level cache together with the bytes that the kernel copies.
  /// Reading 1 GB with pieces of 128 KiB takes a third of the CPU time of pieces of 256 KiB.
  private static let pieceSize = 1 << 17
  private static let pageSize = 4_096

  private let filter: ValueFilter
  private var searcher: ByteSearcher
  private let memory: UnsafeMutableRawBufferPointer
  /// The offset in the memory to which pieces are read, a multiple of the size of a page.
  ///
  /// Before it is the end of the previous piece, in which an occurrence can begin.
  private let pieceStart: Int

  /// Creates a search, and allocates its buffer.
  package init(_ filter: ValueFilter) {
    self.filter = filter
    searcher = ByteSearcher(filter.pattern)
    let carried = max(0, filter.pattern.count - 1)
    pieceStart = (carried + Self.pageSize - 1) / Self.pageSize * Self.pageSize
    memory = .allocate(byteCount: pieceStart + Self.pieceSize, alignment: Self.pageSize)
  }

  deinit { memory.deallocate() }

  /// Returns whether the content of the file fulfils the condition of the filter.
  package mutating func finds(in file: borrowing Descriptor) throws(StorageError) -> Bool {
    let includesGzipData = filter.includesGzipData
    var searcher = searcher
    defer { self.searcher = searcher }
    var isFound = false
    try forEachPiece(of: file) { text, start in
      isFound =
        start == 0 && includesGzipData && GzipData.isOne(text) || searcher.offset(in: text) != nil
      return !isFound
    }
    return isFound
  }

  /// Calls `body` with the offset of each occurrence of the text in the file, in ascending order,
  /// until `body` returns `false`.
  ///
  /// An empty text does not occur.
  package mutating func forEachOccurrence(
    in file: borrowing Descriptor, _ body: (Int) -> Bool
  ) throws(StorageError) {
    guard filter.pattern.count > 0 else { return }
    var searcher = searcher
    defer { self.searcher = searcher }
    try forEachPiece(of: file) { text, start in
      var position = 0
      while let found = searcher.offset(in: UnsafeRawBufferPointer(rebasing: text[position...])) {
        guard body(start + position + found) else { return false }
        position += found + 1
      }
      return true
    }
  }

  /// Calls `body` with one part of the file after another and its offset, until `body` returns
  /// `false`.
  ///
  /// Each part begins with the last bytes of the previous one, in which an occurrence can begin,
  /// but not end.
  private func forEachPiece(
    of file: borrowing Descriptor, _ body: (_ text: UnsafeRawBufferPointer, _ start: Int) -> Bool
  ) throws(StorageError) {
    let piece = UnsafeMutableRawBufferPointer(rebasing: memory[pieceStart...])
    var (offset, carried) = (0, 0)
    while true {
      let count = try file.read(into: piece, at: offset)
      let text = UnsafeRawBufferPointer(
        rebasing: memory[pieceStart - carried..<pieceStart + count])
      guard body(text, offset - carried), count == piece.count else { return }
      offset += count
      carried = min(text.count, max(0, filter.pattern.count - 1))
      let end = UnsafeRawBufferPointer(rebasing: text.suffix(carried))
      UnsafeMutableRawBufferPointer(rebasing: memory[pieceStart - carried..<pieceStart])
        .copyMemory(from: end)
    }
  }
}
