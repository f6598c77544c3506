import UndercroftFoundation
import UndercroftSQLite

/// The conversion of values to SQL literals that SQLite reads as exactly the same values.
enum SQLLiteralWriter {
  static func literal(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): RealLiteralWriter.exact(number)
    case .text(let text): literal(text)
    case .blob(let bytes): "x'\(hexadecimal(bytes))'"
    }
  }

  /// Returns an SQL expression whose value is a text that is not valid UTF-8, which other programs
  /// can store.
  ///
  /// - Parameter bytes: the bytes of the text in the encoding of a UTF-8 database.
  static func literal(invalidText bytes: Data) -> String {
    "CAST(x'\(hexadecimal(bytes))' AS TEXT)"
  }

  private static func hexadecimal(_ bytes: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a string as an SQL expression in which control characters other than line
  /// feed and tab are calls of `char()`.
  ///
  /// A NUL would end the script, and a carriage return is changed by some tools that store text.
  private static func literal(_ text: String) -> String {
    var parts: [String] = []
    var plain = ""
    for scalar in text.unicodeScalars {
      let isPlain = scalar.value >= 32 && scalar.value != 127 || scalar == "\n" || scalar == "\t"
      if isPlain {
        plain.unicodeScalars.append(scalar)
      } else {
        if !plain.isEmpty { parts.append(plain.quotedLiteral) }
        plain = ""
        parts.append("char(\(scalar.value))")
      }
    }
    if !plain.isEmpty || parts.isEmpty { parts.append(plain.quotedLiteral) }
    return joined(parts[...])
  }

  /// Joins SQL expressions by `||` in a balanced tree, because a long chain would exceed SQLite's
  /// limit for the depth of an expression.
  private static func joined(_ parts: ArraySlice<String>) -> String {
    if parts.count <= 8 { return parts.joined(separator: " || ") }
    let middle = parts.startIndex + parts.count / 2
    return "(\(joined(parts[..<middle]))) || (\(joined(parts[middle...])))"
  }
}
