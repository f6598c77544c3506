import Foundation
import UndercroftCore
import UndercroftInspection

/// A search for a text in values that are gzip data.
///
/// The decompressed bytes are searched part by part. Memory is needed for about 1 MiB of them, also
/// for a small value that decompresses to gigabytes.
final class CompressedSearch {
  /// The number of decompressed bytes in memory, which are examined for secrets together.
  private static let windowSize = 1 << 20
  /// The number of bytes after the beginning of a match that an excerpt needs.
  private static let context = 1 << 10

  private let pattern: BytePattern
  private let decompression: StoreInspectorFactory.Decompression
  /// The maximum number of decompressed bytes of a value that are searched.
  let limit: Int
  /// The number of values whose decompressed bytes are more than the limit, and which were searched
  /// without a match only in part.
  private(set) var shortenedCount = 0
  /// The name of the first of these values.
  private(set) var shortenedName: String?

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
    try decompression(bytes) { part in
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
    if isShortened {
      shortenedCount += 1
      shortenedName = shortenedName ?? name
    }
    return window.offset.map { (window.bytes, $0) }
  }

  /// Writes a note to standard error if values were searched only in part.
  func noteShortenedValues() {
    guard let name = shortenedName else { return }
    let values =
      shortenedCount == 1
      ? "the value \(quoted(name)) are"
      : "\(shortenedCount) values, such as \(quoted(name)), are"
    Output.note(
      """
      only the first \(ByteText.readable(limit)) of the decompressed bytes of \(values) searched; \
      to search more, pass --decompressed-limit
      """)
  }
}
