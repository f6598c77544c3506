import Foundation
import UndercroftInspection

/// The text that was written for a terminal, until the text is longer than the screen.
struct Screen {
  private(set) var text = Data()
  private let columns: Int
  private let maximumLines: Int
  private var lines = 0
  /// The first byte of ``text`` that was not counted.
  private var counted = 0

  /// Creates an empty screen.
  ///
  /// - Parameters:
  ///   - columns: the number of columns, after which the terminal wraps a line.
  ///   - lines: the number of lines. The last one remains free for the prompt of the shell.
  init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    maximumLines = lines - 1
  }

  /// Adds text, and returns whether the whole text is longer than the screen.
  mutating func add(_ bytes: Data) -> Bool {
    text += bytes
    let lineFeed = UInt8(ascii: "\n")
    while lines <= maximumLines, counted < text.count {
      let rest = text[(text.startIndex + counted)...]
      guard let end = rest.firstIndex(of: lineFeed) else {
        // A line without an end can already be longer than the screen.
        return rest.count > columns * (maximumLines + 1) * 4
      }
      let width = Self.width(of: rest[..<end])
      lines += max(1, (width + columns - 1) / columns)
      counted = end + 1 - text.startIndex
    }
    return lines > maximumLines
  }

  /// Returns the number of columns of a line, without the sequences of ``TextStyle``.
  private static func width(of line: Data) -> Int {
    let escape = UInt8(ascii: "\u{1b}")
    guard line.contains(escape) else {
      return DisplayWidth.of(String(decoding: line, as: UTF8.self))
    }
    var visible = Data()
    var isSequence = false
    for byte in line {
      if byte == escape { isSequence = true }
      if !isSequence { visible.append(byte) }
      if byte == UInt8(ascii: "m") { isSequence = false }
    }
    return DisplayWidth.of(String(decoding: visible, as: UTF8.self))
  }
}
