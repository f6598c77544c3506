/// A protection against fields that a spreadsheet would calculate as formulas.
package enum SpreadsheetText {
  /// Returns `field` with an apostrophe in front of it if a spreadsheet could calculate the field.
  ///
  /// A formula begins with `=`, `+`, `-` or `@`, also as a fullwidth or small form. Spreadsheets
  /// skip characters before the formula, such as spaces, quotation marks and invisible characters,
  /// and a tab or line break can start a new cell. A plain number remains unchanged. The apostrophe
  /// precedes the quoting that ``DelimitedText`` adds.
  package static func safe(_ field: String) -> String {
    isFormula(field) && !isNumber(field) ? "'" + field : field
  }

  private static func isFormula(_ field: String) -> Bool {
    for scalar in field.unicodeScalars {
      switch scalar {
      case "=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}",
        "\u{fe66}", "\u{fe62}", "\u{fe63}", "\u{fe6b}", "\u{2212}":
        return true
      case "\t", "\r", "\n": return true
      case "\"", "'", "\u{2018}", "\u{2019}", "\u{201c}", "\u{201d}", "\u{ff02}", "\u{ff07}":
        continue
      default:
        guard isSkipped(scalar) else { return false }
      }
    }
    return false
  }

  private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
      || [.control, .format].contains(scalar.properties.generalCategory)
  }

  /// Returns whether a field is a decimal number: a sign, digits, a fraction and an exponent, of
  /// which only the digits or the fraction are required.
  private static func isNumber(_ field: String) -> Bool {
    var rest = field.utf8[...]
    skipSign(&rest)
    var digits = skipDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += skipDigits(&rest)
    }
    guard digits > 0 else { return false }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      skipSign(&rest)
      guard skipDigits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func skipSign(_ rest: inout Substring.UTF8View) {
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
  }

  private static func skipDigits(_ rest: inout Substring.UTF8View) -> Int {
    let digits = rest.prefix(while: ASCIIClass.isDigit).count
    rest = rest.dropFirst(digits)
    return digits
  }
}
