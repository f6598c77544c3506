extension String {
  /// The string as a name in SQL: in double quotes, with quotes inside doubled.
  package var quotedIdentifier: String { inQuotes("\"") }

  /// The string as a text literal in SQL: in single quotes, with quotes inside doubled.
  package var quotedLiteral: String { inQuotes("'") }

  // Scalars are compared instead of characters,
  // because a quote may be part of a character with a combining accent.
  private func inQuotes(_ quote: Unicode.Scalar) -> String {
    var text = String(quote)
    for scalar in unicodeScalars {
      if scalar == quote { text.unicodeScalars.append(quote) }
      text.unicodeScalars.append(scalar)
    }
    text.unicodeScalars.append(quote)
    return text
  }
}
