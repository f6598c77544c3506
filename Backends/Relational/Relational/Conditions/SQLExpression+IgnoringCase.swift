import UndercroftSQLite

extension SQLExpression where Value: TextValue {
  /// The text with its case folded as Unicode does by default, and in normal form C.
  ///
  /// Two texts that differ in case or normalisation alone are equal when both are folded. No index is used, as no other
  /// program could write to a file with such an index.
  public var caseFolded: Self {
    Self("\(SQL.raw(CaseFolding.functionName))(\(sql))", .atom, reading: tables)
  }

  /// Returns whether both texts are the same.
  ///
  /// - Parameter ignoringCase: whether letters of either case are the same, in any script; then canonically equivalent texts
  ///   are the same as well.
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

  /// The text must not be empty.
  func hasSuffixIgnoringCase(_ text: String) -> Condition {
    // As bytes: the functions of texts count characters up to a NUL.
    let end: SQL = "CAST(\(CaseFolding.folded(text)) AS BLOB)"
    return Condition(
      "substr(CAST(\(caseFolded.sql) AS BLOB), -length(\(end))) = \(end)", .loose,
      reading: tables)
  }

  /// The place of a text in this one, both folded, counted from 1; 0 for none. (`instr`, which goes beyond a NUL)
  private func occurrence(of text: String) -> SQLExpression<Int> {
    caseFolded.call("instr", "\(CaseFolding.folded(text))")
  }
}
