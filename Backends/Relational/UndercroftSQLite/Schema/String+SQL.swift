extension String {
  /// The string as an SQL identifier: in double quotes,
  /// with each double quote in the string doubled.
  package var quotedIdentifier: String { inQuotes("\"") }

  /// The string as an SQL text literal: in single quotes,
  /// with each single quote in the string doubled.
  package var quotedLiteral: String { inQuotes("'") }

  // Scalars are compared instead of characters,
  // because a quote may be part of a character with a combining accent.
  private func inQuotes(_ quote: Unicode.Scalar) -> String {
    // Names of columns are quoted for each row, and almost none contains a quote.
    if !utf8.contains(UInt8(ascii: quote)) { return "\(quote)\(self)\(quote)" }
    var text = String(quote)
    for scalar in unicodeScalars {
      if scalar == quote { text.unicodeScalars.append(quote) }
      text.unicodeScalars.append(scalar)
    }
    text.unicodeScalars.append(quote)
    return text
  }
}
