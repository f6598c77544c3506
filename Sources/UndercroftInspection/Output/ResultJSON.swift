import UndercroftCore
import UndercroftFoundation

/// A writer of result values as JSON, in which objects are sorted by key.
///
/// JSON has neither bytes nor infinite numbers. Bytes become an object with the member `base64`,
/// and a number that is infinite or not a number becomes an object with the member `number`.
/// Characters that control a terminal or change the writing direction are written as `\uXXXX`.
struct ResultJSON {
  private(set) var text = ""
  /// The current indentation level, or `nil` to write everything on one line.
  private var indentation: Int?

  init(indentation: Int?) { self.indentation = indentation }

  mutating func write(_ value: ResultValue) {
    switch value {
    case .absent, .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let number): text += number.description
    case .real(let number) where number.isFinite: text += "\(number)"
    case .real(let number): write(.object(["number": .text("\(number)")]))
    case .text(let string): write(string)
    case .bytes(let bytes): write(.object(["base64": .text(bytes.base64EncodedString())]))
    case .list(let values): writeElements("[", "]", values) { writer, value in writer.write(value) }
    case .object(let members):
      let present = members.filter { $0.value != .absent }.sorted { $0.key < $1.key }
      writeElements("{", "}", present) { writer, member in
        writer.write(member.key.text)
        writer.text += writer.separator
        writer.write(member.value)
      }
    }
  }

  /// The name of a column as JSON, and the position of its value in a row.
  struct RowMember {
    let json: String
    let position: Int
  }

  /// Writes a row as an object with the given members in their order, without absent values.
  mutating func write(_ row: [ResultValue], _ members: [RowMember]) {
    let present = members.lazy.filter { member in
      guard member.position < row.count else { return false }
      if case .absent = row[member.position] { return false }
      return true
    }
    writeElements("{", "}", present) { writer, member in
      writer.text += member.json
      writer.text += writer.separator
      writer.write(row[member.position])
    }
  }

  /// The text between the name of a member and its value.
  private var separator: String { indentation == nil ? ":" : " : " }

  private mutating func writeElements<Element>(
    _ opening: String, _ closing: String, _ elements: some Sequence<Element>,
    _ writeElement: (inout ResultJSON, Element) -> Void
  ) {
    text += opening
    indentation = indentation.map { $0 + 1 }
    var isEmpty = true
    for element in elements {
      if !isEmpty { text += "," }
      isEmpty = false
      breakLine()
      writeElement(&self, element)
    }
    indentation = indentation.map { $0 - 1 }
    if isEmpty, indentation != nil { text += "\n" }
    breakLine()
    text += closing
  }

  private mutating func breakLine() {
    guard let indentation else { return }
    text += "\n" + String(repeating: "  ", count: indentation)
  }

  private mutating func write(_ string: String) {
    text += "\""
    defer { text += "\"" }
    // Most texts need no escape, which their bytes show without a look at each scalar.
    let isPlain = string.utf8.allSatisfy {
      (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return text += string }
    text += string.replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where ValueText.isHarmful(scalar): JSONText.escape(scalar)
      default: nil
      }
    }
  }
}
