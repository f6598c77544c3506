extension SQL {
  /// Returns the concatenation of two pieces with their values.
  public static func + (lhs: SQL, rhs: SQL) -> SQL {
    var both = lhs
    both.append(rhs)
    return both
  }

  /// Appends a piece with its values.
  public static func += (sql: inout SQL, addition: SQL) { sql.append(addition) }
}

extension Sequence<SQL> {
  /// Returns the concatenation of all pieces with `separator` between them,
  /// such as the conditions of a `WHERE` clause.
  public func joined(separator: SQL = "") -> SQL {
    var all: SQL = ""
    for (index, sql) in enumerated() {
      if index > 0 { all.append(separator) }
      all.append(sql)
    }
    return all
  }
}
