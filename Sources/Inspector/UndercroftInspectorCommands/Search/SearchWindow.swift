import Foundation
import UndercroftFileSystem
import UndercroftInspection

/// The last part of a sequence of bytes that is searched while it is produced.
struct SearchWindow {
  private var searcher: ByteSearcher
  private(set) var bytes = Data()
  /// The offset in ``bytes`` of the first occurrence of the text, or `nil` if it was not found.
  private(set) var offset: Int?
  /// The number of bytes in which no occurrence begins.
  private var searchedCount = 0

  init(for pattern: BytePattern) { searcher = ByteSearcher(pattern) }

  /// Adds bytes, and searches them unless the text has been found.
  mutating func append(_ part: Data) {
    bytes.append(part)
    guard offset == nil else { return }
    let found = searcher.offset(in: bytes.dropFirst(searchedCount))
    offset = found.map { searchedCount + $0 }
    // The text may begin in this part and end in the next one.
    searchedCount = max(searchedCount, bytes.count - (searcher.pattern.count - 1))
  }

  /// Removes bytes from the start, so that about `count` bytes remain.
  mutating func shorten(to count: Int) {
    let removed = min(max(0, bytes.count - count), searchedCount)
    bytes = Data(bytes.dropFirst(removed))
    searchedCount -= removed
  }
}
