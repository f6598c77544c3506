import UndercroftSQLite

extension SQLLiteral {
  /// Returns whether `other`, the default of a column in the
  /// file as SQLite reports it, is equal to this value.
  ///
  /// Another tool may have written the default in parentheses, with other quotes, or as `TRUE`.
  func isSame(as other: String) -> Bool {
    let (own, other) = (SQLTokenizer.split(text), Self.unwrapped(SQLTokenizer.split(other)))
    if own == other { return true }
    // Integers are compared first, because two different large integers can be equal after
    // conversion to floating point.
    if let own = Self.integer(own), let other = Self.integer(other) { return own == other }
    if let own = Self.number(own), let other = Self.number(other) { return own == other }
    guard let own = own.first, let first = other.first, other.count == 1 else { return false }
    return own.kind == .text && first.kind == .name && own.name == first.name
  }

  private static func unwrapped(_ tokens: [SQLTokenizer.Token]) -> [SQLTokenizer.Token] {
    var tokens = tokens[...]
    while tokens.count > 2, tokens.first?.isPunctuation("(") == true,
      tokens.last?.isPunctuation(")") == true
    {
      tokens = tokens.dropFirst().dropLast()
    }
    return Array(tokens)
  }

  private static func integer(_ tokens: [SQLTokenizer.Token]) -> Int64? {
    Int64(tokens.map(\.text).joined())
  }

  private static func number(_ tokens: [SQLTokenizer.Token]) -> Double? {
    if tokens.count == 1, tokens[0].isWord("true") { return 1 }
    if tokens.count == 1, tokens[0].isWord("false") { return 0 }
    return Double(tokens.map(\.text).joined())
  }
}
