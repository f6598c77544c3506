import UndercroftSQLite

extension SQLExpression where Value: TextValue {
  /// The text after the default case folding of Unicode, in normalisation form C.
  ///
  /// Two folded strings are equal if the original strings differ only in case or normalisation. A
  /// condition on the folded text uses no index. An index of folded text would need a custom SQL
  /// function, and programs without this function could not write to the file.
  public var caseFolded: Self {
    Self("\(SQL.raw(CaseFolding.functionName))(\(sql))", .atom, reading: tables)
  }

  /// Returns a condition that is true if the text equals another text.
  ///
  /// - Parameters:
  ///   - text: The text to compare with.
  ///   - ignoringCase: Whether to ignore case, in any script. Canonically equivalent strings are
  ///     then equal as well.
  public func equals(_ text: String, ignoringCase: Bool) -> Condition {
    ignoringCase
      ? caseFolded.joined("=", "\(CaseFolding.folded(text))") : joined("=", "\(text)")
  }

  func hasPrefixIgnoringCase(_ text: String) -> Condition {
    occurrence(of: text).joined("=", "1")
  }

  func containsIgnoringCase(_ text: String) -> Condition {
    occurrence(of: text).joined(">", "0")
  }

  /// Returns a condition that is true if the text of the expression ends with `text`, ignoring
  /// case.
  ///
  /// `text` must not be empty. For an empty string, the start position that is passed to `substr`
  /// is 0, and `substr` then returns the whole text.
  func hasSuffixIgnoringCase(_ text: String) -> Condition {
    // Compares bytes, because the text functions of SQLite count
    // characters only up to a NUL character.
    let end: SQL = "CAST(\(CaseFolding.folded(text)) AS BLOB)"
    return Condition(
      "substr(CAST(\(caseFolded.sql) AS BLOB), -length(\(end))) = \(end)", .loose,
      reading: tables)
  }

  /// Returns the position of the first occurrence of `text`, ignoring case, starting at 1, or 0 if
  /// `text` does not occur.
  ///
  /// The value of the expression and `text` are case-folded first. The position is computed by
  /// `instr`, which does not stop at a NUL character.
  private func occurrence(of text: String) -> SQLExpression<Int> {
    caseFolded.call("instr", "\(CaseFolding.folded(text))")
  }
}
