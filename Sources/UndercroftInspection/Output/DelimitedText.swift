/// The quoting of fields that are separated by commas or tabs.
package enum DelimitedText {
  /// Returns a field of comma-separated values, quoted as RFC 4180 describes if that is necessary.
  ///
  /// A field with a space at either end is quoted too, because some readers remove such spaces. A
  /// field with a tab or a semicolon is quoted, because some spreadsheets separate fields there.
  package static func csvField(_ field: String) -> String {
    let space = UInt8(ascii: " ")
    let isQuoted =
      field.utf8.first == space || field.utf8.last == space
      || field.utf8.contains { isSeparator($0) }
    return isQuoted ? "\"" + field.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\"" : field
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""),
      UInt8(ascii: ","), UInt8(ascii: ";"):
      true
    default: false
    }
  }

  /// Returns a field of tab-separated values, in which a tab, a line feed, a carriage return and a
  /// backslash are written as `\t`, `\n`, `\r` and `\\`.
  package static func tsvField(_ field: String) -> String {
    field.replacingScalars { scalar in
      switch scalar {
      case "\t": "\\t"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\\": "\\\\"
      default: nil
      }
    }
  }
}
