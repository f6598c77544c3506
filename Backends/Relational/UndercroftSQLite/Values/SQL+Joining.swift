extension SQL {
  /// Returns the concatenation of two pieces of SQL with their bound values.
  public static func + (lhs: SQL, rhs: SQL) -> SQL {
    var both = lhs
    both.append(rhs)
    return both
  }

  /// Appends a piece of SQL with its bound values.
  public static func += (sql: inout SQL, addition: SQL) { sql.append(addition) }
}

extension Sequence<SQL> {
  /// Returns the concatenation of all pieces of SQL, such as the conditions of a `WHERE` clause,
  /// with `separator` between them.
  public func joined(separator: SQL = "") -> SQL {
    var all: SQL = ""
    for (index, sql) in enumerated() {
      if index > 0 { all.append(separator) }
      all.append(sql)
    }
    return all
  }
}
