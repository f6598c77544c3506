import UndercroftSQLite

extension Expression where Value: ColumnValue {
  public static func == (one: Self, value: Value) -> Condition {
    // NULL is equal to nothing in SQL, not even to itself.
    Condition("\(one.sql) \(SQL.raw(Value.isOptional ? "IS" : "=")) \(value)")
  }

  public static func != (one: Self, value: Value) -> Condition {
    Condition("\(one.sql) \(SQL.raw(Value.isOptional ? "IS NOT" : "<>")) \(value)")
  }

  public static func < (one: Self, value: Value) -> Condition {
    Condition("\(one.sql) < \(value)")
  }

  public static func <= (one: Self, value: Value) -> Condition {
    Condition("\(one.sql) <= \(value)")
  }

  public static func > (one: Self, value: Value) -> Condition {
    Condition("\(one.sql) > \(value)")
  }

  public static func >= (one: Self, value: Value) -> Condition {
    Condition("\(one.sql) >= \(value)")
  }
}

extension Expression where Value == Bool {
  public static func && (one: Self, other: Self) -> Self {
    Self("(\(one.sql) AND \(other.sql))")
  }

  public static func || (one: Self, other: Self) -> Self {
    Self("(\(one.sql) OR \(other.sql))")
  }

  public static prefix func ! (one: Self) -> Self { Self("NOT (\(one.sql))") }
}

extension Expression where Value == String {
  /// Whether it matches a pattern with `%` and `_`, without regard to the case of ASCII letters.
  public func like(_ pattern: String) -> Condition { Condition("\(sql) LIKE \(pattern)") }
}

extension SQL {
  static func raw(_ text: StaticString) -> SQL { SQL(unchecked: text.description) }
}
