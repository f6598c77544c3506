import UndercroftCore
import UndercroftFoundation

/// An encoder of rows as an XML property list, which is an array of dictionaries.
///
/// A property list has no NULL, so NULL and absent values are omitted.
struct PropertyListRowEncoder: RowEncoder {
  private var columns: [String] = []

  mutating func begin(_ columns: [String]) -> String {
    self.columns = columns
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <array>

      """
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    let members = zip(columns, row).map { ($0, $1) }
    return Self.dictionary(members, indentation: "  ")
  }

  mutating func end() -> String { "</array>\n</plist>\n" }

  private static func dictionary(
    _ members: [(String, ResultValue)], indentation: String
  ) -> String {
    let inner = indentation + "  "
    let lines = members.map { name, value in
      guard value != .absent, value != .null else { return "" }
      return "\(inner)<key>\(escaped(name))</key>\n\(element(value, inner))"
    }
    return "\(indentation)<dict>\n\(lines.joined())\(indentation)</dict>\n"
  }

  private static func element(_ value: ResultValue, _ indentation: String) -> String {
    switch value {
    case .absent, .null: ""
    case .boolean(let value): "\(indentation)<\(value)/>\n"
    case .integer(let number): "\(indentation)<integer>\(number)</integer>\n"
    case .real(let number): "\(indentation)<real>\(number)</real>\n"
    case .text(let text): "\(indentation)<string>\(escaped(text))</string>\n"
    case .bytes(let bytes): "\(indentation)<data>\(bytes.base64EncodedString())</data>\n"
    case .list(let values):
      "\(indentation)<array>\n"
        + values.map { element($0, indentation + "  ") }.joined() + "\(indentation)</array>\n"
    case .object(let members):
      dictionary(
        members.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }, indentation: indentation
      )
    }
  }

  /// Returns a text without characters that have a meaning in XML or that XML forbids.
  private static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\n", "\t": nil
      case "\r": "&#13;"
      // XML 1.0 cannot contain these characters in any form.
      case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff:
        "\u{fffd}"
      case _ where ValueText.isHarmful(scalar): "&#\(scalar.value);"
      default: nil
      }
    }
  }
}
