extension SQL {
  /// Puts a part of a `WITH` clause, without values, before a query, which may have others of its own.
  package func beginning(with part: SQL) -> SQL {
    let tokens = SQLTokens.split(text)
    guard let with = tokens.first, with.isWord("with") else { return "WITH \(part) \(self)" }
    let recursive = tokens.dropFirst().prefix(1).first { $0.isWord("recursive") }
    let rest = String(text.unicodeScalars.dropFirst((recursive ?? with).range.upperBound))
    var sql = self
    sql.text = "WITH \(recursive == nil ? "" : "RECURSIVE ")\(part.text),\(rest)"
    return sql
  }
}
