/// The quoting of fields that are separated by commas or tabs.
package enum DelimitedText {
  private static let separators: [UInt8] = [
    0x09, 0x0a, 0x0d, UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"),
  ]

  /// Returns a field of comma-separated values, quoted as RFC 4180 describes if that is necessary.
  ///
  /// A field with a space at either end is quoted too, because some readers remove such spaces. A
  /// field with a tab or a semicolon is quoted, because some spreadsheets separate fields there.
  package static func csvField(_ field: String) -> String {
    let space = UInt8(ascii: " ")
    let isQuoted =
      field.utf8.first == space || field.utf8.last == space
      || field.utf8.contains { Self.separators.contains($0) }
    guard isQuoted else { return field }
    // Scalars are compared, because a quotation mark and a combining mark form one character.
    var result = "\"".unicodeScalars
    for scalar in field.unicodeScalars {
      if scalar == "\"" { result.append(scalar) }
      result.append(scalar)
    }
    result.append("\"")
    return String(result)
  }

  /// Returns a field of tab-separated values, in which a tab, a line feed, a carriage return and a
  /// backslash are written as `\t`, `\n`, `\r` and `\\`.
  package static func tsvField(_ field: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in field.unicodeScalars {
      switch scalar {
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
