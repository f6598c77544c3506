extension String {
  /// As a name in SQL: in quotes, each of which within is doubled.
  package var asName: String { inQuotes("\"") }

  /// As a text in SQL: in quotes, each of which within is doubled.
  package var asText: String { inQuotes("'") }

  // Not by characters, as a quote may be the beginning of one that has an accent.
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
