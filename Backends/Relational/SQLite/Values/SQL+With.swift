extension SQL {
  /// Puts a part of a `WITH` clause, without values, before a query, which may have others of its own.
  package func beginning(with part: SQL) -> SQL {
    let words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard words.first?.lowercased() == "with" else { return "WITH \(part) \(self)" }
    let isRecursive = words.dropFirst().first?.lowercased() == "recursive"
    let rest = words.dropFirst(isRecursive ? 2 : 1).joined(separator: " ")
    var sql = self
    sql.text = "WITH \(isRecursive ? "RECURSIVE " : "")\(part.text), \(rest)"
    return sql
  }
}
