import Foundation
import UndercroftCore
import UndercroftInspection

/// A search for a text in values that are gzip data.
///
/// The decompressed bytes are searched part by part. Memory is needed for about 1 MiB of them, also
/// for a small value that decompresses to gigabytes.
final class CompressedSearch {
  /// The number of decompressed bytes in memory, of which those near a match are examined for
  /// secrets.
  private static let windowSize = 1 << 20
  /// The number of bytes after the beginning of a match that are needed to examine an excerpt for
  /// secrets.
  private static let context = 1 << 15

  private let pattern: BytePattern
  private let decompression: StoreInspectorFactory.Decompression
  /// The maximum number of decompressed bytes of a value that are searched.
  let limit: Int
  /// The values that have no match up to the limit, and more decompressed bytes than the limit.
  private var shortened = SearchedPart()
  /// The values that have no match up to the place at which their data is damaged or ends early.
  private var damaged = SearchedPart()

  init(
    for pattern: BytePattern, limit: Int,
    by decompression: @escaping StoreInspectorFactory.Decompression
  ) {
    (self.pattern, self.limit, self.decompression) = (pattern, limit, decompression)
  }

  /// Returns the decompressed bytes around the first occurrence in a value, and its offset in them,
  /// or `nil` if there is none or if the value is not gzip data.
  ///
  /// All decompressed bytes are returned if they are at most 1 MiB.
  ///
  /// - Parameter name: the name of the value or the column.
  func match(in bytes: Data, named name: String) throws -> (Data, Int)? {
    guard limit > 0, GzipData.isOne(bytes) else { return nil }
    var window = SearchWindow(for: pattern)
    var rest = limit
    var isShortened = false
    let end = try decompression(bytes) { part in
      let exceedsLimit = part.count > rest
      window.append(part.prefix(rest))
      rest -= min(rest, part.count)
      guard !exceedsLimit else {
        isShortened = window.offset == nil
        return false
      }
      // The bytes after a match are needed as well, to examine them for secrets.
      guard window.bytes.count > Self.windowSize else { return true }
      if let offset = window.offset { return window.bytes.count - offset < Self.context }
      window.shorten(to: Self.windowSize / 2)
      return true
    }
    if isShortened { shortened.add(name) }
    let isDamaged = end == .truncated || end == .damaged
    if isDamaged, window.offset == nil, GzipData.hasHeader(bytes) { damaged.add(name) }
    return window.offset.map { (window.bytes, $0) }
  }

  /// Writes notes to standard error if values were searched only in part.
  func noteUnsearchedBytes() {
    if let values = shortened.phrase {
      Output.note(
        """
        only the first \(ByteText.readable(limit)) of the decompressed bytes of \(values) are \
        searched; to search more, pass --decompressed-limit
        """)
    }
    if let values = damaged.phrase {
      Output.note(
        """
        the gzip data of \(values) ends early or is damaged; only the bytes before the damage are \
        searched
        """)
    }
  }
}

/// The values of which only a part was searched, for the same reason.
private struct SearchedPart {
  private var count = 0
  private var firstName: String?

  mutating func add(_ name: String) {
    count += 1
    firstName = firstName ?? name
  }

  /// A phrase that names the values, or `nil` if there are none.
  var phrase: String? {
    firstName.map { name in
      count == 1 ? "the value \(quoted(name))" : "\(count) values, such as \(quoted(name))"
    }
  }
}
