extension SQL {
  /// Puts two pieces one after the other, with their values.
  public static func + (one: SQL, other: SQL) -> SQL {
    var both = one
    both.append(other)
    return both
  }

  /// Adds a piece with its values.
  public static func += (sql: inout SQL, addition: SQL) { sql.append(addition) }
}

extension Sequence<SQL> {
  /// Returns all pieces in their order with `separator` between them, and their values: the conditions of a `WHERE`, columns to be set.
  public func joined(separator: SQL = "") -> SQL {
    var all: SQL = ""
    for (place, sql) in enumerated() {
      if place > 0 { all.append(separator) }
      all.append(sql)
    }
    return all
  }
}
