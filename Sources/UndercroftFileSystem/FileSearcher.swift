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
    let piece = UnsafeMutableRawBufferPointer(rebasing: memory[pieceStart...])
    var (offset, carried) = (0, 0)
    while true {
      let count = try file.read(into: piece, at: offset)
      let text = UnsafeRawBufferPointer(
        rebasing: memory[pieceStart - carried..<pieceStart + count])
      if offset == 0, filter.includesGzipData, GzipData.isOne(text) { return true }
      if searcher.offset(in: text) != nil { return true }
      if count < piece.count { return false }
      offset += count
      carried = min(text.count, max(0, filter.pattern.count - 1))
      let end = UnsafeRawBufferPointer(rebasing: text.suffix(carried))
      UnsafeMutableRawBufferPointer(rebasing: memory[pieceStart - carried..<pieceStart])
        .copyMemory(from: end)
    }
  }
}
