import UndercroftCore

/// A part of the SQL of a statement, with a mark before the position of an error.
struct MarkedSQL {
  /// The mark before the error.
  static let mark = "▸"
  /// The number of scalars that are shown before and after the mark.
  private static let width = 60

  /// The position of the error in Unicode scalars, counted from 1.
  let position: Int
  /// The marked SQL between backticks.
  let text: String

  /// Marks the position `offset` of `sql`, which is counted in bytes.
  init(_ sql: String, at offset: Int) {
    let utf8 = sql.utf8
    let index = utf8.index(utf8.startIndex, offsetBy: offset, limitedBy: utf8.endIndex)
    let before = sql.unicodeScalars[..<(index ?? utf8.endIndex)]
    let after = sql.unicodeScalars[(index ?? utf8.endIndex)...]
    position = before.count + 1
    let begin = before.count > Self.width ? "…" : ""
    let end = after.count > Self.width ? "…" : ""
    let excerpt =
      begin + String(before.suffix(Self.width)) + Self.mark + String(after.prefix(Self.width)) + end
    text = StorageError.printable(excerpt)
  }
}
