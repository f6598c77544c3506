/// A buffer for consecutive pages of a database, which are read and searched as a whole.
struct PageRun: ~Copyable {
  /// The maximum number of bytes that are read at a time, as in `FileSearcher`, unless one page is
  /// larger.
  private static let maximumSize = 1 << 17

  private let pages: DatabasePages
  /// The maximum number of pages, which is at least 1.
  let maximumCount: Int
  private let buffer: UnsafeMutableRawBufferPointer

  /// Allocates the buffer.
  init(of pages: DatabasePages) {
    self.pages = pages
    maximumCount = max(1, Self.maximumSize / pages.pageSize)
    buffer = .allocate(byteCount: maximumCount * pages.pageSize, alignment: 4_096)
  }

  deinit { buffer.deallocate() }

  /// Reads consecutive pages, of which the first one has the given number.
  ///
  /// - Parameters:
  ///   - number: the number of the first page.
  ///   - count: the number of pages, at most ``maximumCount``.
  /// - Returns: whether all bytes were read.
  func read(_ number: UInt32, count: Int) -> Bool {
    pages.read(number, count: count, into: buffer)
  }

  /// Returns the bytes of a page that was read, without the reserved bytes at its end.
  func page(_ index: Int) -> UnsafeRawBufferPointer {
    let start = index * pages.pageSize
    return UnsafeRawBufferPointer(rebasing: buffer[start..<start + pages.usableSize])
  }

  /// Returns all bytes of the first pages that were read.
  func prefix(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[..<(count * pages.pageSize)])
  }
}
