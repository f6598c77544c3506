import Foundation
import UndercroftInspection

/// The part of a value around the place where a text was found.
enum SearchExcerpt {
  /// The number of bytes that are shown before and after the beginning of the match.
  private static let context = (before: 20, after: 60)

  /// Returns the offsets of the part of a value of `count` bytes that is shown for an occurrence at
  /// `offset`.
  static func range(around offset: Int, of count: Int) -> Range<Int> {
    max(0, offset - context.before)..<min(count, offset + context.after)
  }

  /// Returns the part of `bytes` around `offset` on one line, with an ellipsis at each end that was
  /// cut.
  static func text(of bytes: Data, around offset: Int) -> String {
    let range = range(around: offset, of: bytes.count)
    let part = bytes.dropFirst(range.lowerBound).prefix(range.count)
    let text = decoded(part).split(whereSeparator: \.isNewline).joined(separator: " ")
    let isCut = range.upperBound < bytes.count
    return (range.lowerBound > 0 ? "…" : "") + text + (isCut ? "…" : "")
  }

  /// Returns the bytes as text, without a character whose bytes were cut at either end.
  private static func decoded(_ bytes: Data) -> String {
    let isContinuation = { (byte: UInt8) in byte & 0xc0 == 0x80 }
    let start = bytes.prefix(3).prefix(while: isContinuation).count
    var whole = bytes.dropFirst(start)
    for _ in 0..<3 {
      if String(validating: whole, as: UTF8.self) != nil { break }
      whole = whole.dropLast()
    }
    return String(
      decoding: String(validating: whole, as: UTF8.self) == nil ? bytes : whole, as: UTF8.self)
  }
}
