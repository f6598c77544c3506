import Foundation
import UndercroftInspection

/// The part of a value around the place where a text was found.
enum SearchExcerpt {
  /// The number of bytes that are shown before and after the beginning of the match.
  private static let context = (before: 20, after: 60)

  /// Returns the part of `bytes` around `offset` on one line, with an ellipsis at each end that was
  /// cut.
  ///
  /// - Parameters:
  ///   - bytes: the value, or the bytes of a long value around the occurrence.
  ///   - offset: the offset of the occurrence.
  ///   - name: the name of the value or the column, by which secrets are recognised.
  ///   - redactor: the redactor, which replaces secrets by placeholders, or `nil` to show them.
  static func text(
    of bytes: Data, around offset: Int, named name: String?, redactedBy redactor: Redactor?
  ) -> String {
    var range = max(0, offset - context.before)..<min(bytes.count, offset + context.after)
    let secrets = redactor?.secrets(in: range, of: bytes, named: name) ?? []
    var text = ""
    var shownEnd = range.lowerBound
    for secret in secrets {
      text += decoded(bytes, shownEnd..<max(shownEnd, secret.lowerBound))
      text += redactor?.placeholder(for: part(bytes, secret)) ?? ""
      shownEnd = secret.upperBound
      range = min(range.lowerBound, secret.lowerBound)..<max(range.upperBound, shownEnd)
    }
    text += decoded(bytes, shownEnd..<range.upperBound)
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let isCut = range.upperBound < bytes.count
    return (range.lowerBound > 0 ? "…" : "") + line + (isCut ? "…" : "")
  }

  private static func part(_ bytes: Data, _ range: Range<Int>) -> Data {
    bytes.dropFirst(range.lowerBound).prefix(range.count)
  }

  /// Returns a part as text, without a character whose bytes were cut at either end.
  private static func decoded(_ bytes: Data, _ range: Range<Int>) -> String {
    let bytes = part(bytes, range)
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
