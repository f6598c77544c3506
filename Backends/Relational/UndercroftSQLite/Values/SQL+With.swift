extension SQL {
  /// Returns the query with a common table expression added to the beginning of its `WITH` clause.
  ///
  /// - Parameter part: the common table expression. The expression must have no bound
  ///   values, because only its text is inserted if the query already has a `WITH` clause.
  package func beginning(with part: SQL) -> SQL {
    let tokens = SQLTokenizer.split(text)
    guard let with = tokens.first, with.isWord("with") else { return "WITH \(part) \(self)" }
    let recursive = tokens.dropFirst().prefix(1).first { $0.isWord("recursive") }
    let rest = String(text.unicodeScalars.dropFirst((recursive ?? with).range.upperBound))
    var sql = self
    sql.text = "WITH \(recursive == nil ? "" : "RECURSIVE ")\(part.text),\(rest)"
    return sql
  }
}
