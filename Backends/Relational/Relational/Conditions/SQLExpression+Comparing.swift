import UndercroftSQLite

// Compared with a value, `nil` is a value like others, as in Swift: `note == nil` finds the rows without a note, and `note != "lent"` finds
// them as well. A column that is compared with another is nothing's equal where it is NULL, as in SQL, so that a join puts no two rows
// together that both have no key. What is NULL is neither less nor greater than anything.

extension SQLExpression where Value: ColumnValue {
  /// Whether it has this value, `nil` for none.
  public static func == (one: Self, value: Value?) -> Condition {
    if let value, !Value.isOptional { return one.joined("=", "\(value)") }
    return one.compared("IS", value)
  }

  /// Whether it has another value than this, or none.
  ///
  /// An expression of a type that is no optional may have no value as well: a division by zero, or
  /// the column of a row that a left join lacks.
  public static func != (one: Self, value: Value?) -> Condition { one.compared("IS NOT", value) }

  private func compared(_ word: StaticString, _ value: Value?) -> Condition {
    // A value that is known to be NULL is written as such, which SQLite plans better.
    if let value, (try? value.sqlValue()) != .null { return joined(word, "\(value)") }
    return joined(word, "NULL")
  }

  public static func < (one: Self, value: Value) -> Condition { one.joined("<", "\(value)") }
  public static func <= (one: Self, value: Value) -> Condition { one.joined("<=", "\(value)") }
  public static func > (one: Self, value: Value) -> Condition { one.joined(">", "\(value)") }
  public static func >= (one: Self, value: Value) -> Condition { one.joined(">=", "\(value)") }
}

extension SQLExpression where Value: ColumnValue {
  /// Whether both have the same value, of which either may be optional.
  public static func == <Other: ColumnValue>(
    one: Self, other: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { one.joined("=", other) }

  /// Whether both have values, and not the same.
  public static func != <Other: ColumnValue>(
    one: Self, other: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { one.joined("<>", other) }

  public static func < <Other: ColumnValue>(
    one: Self, other: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { one.joined("<", other) }

  public static func <= <Other: ColumnValue>(
    one: Self, other: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { one.joined("<=", other) }

  public static func > <Other: ColumnValue>(
    one: Self, other: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { one.joined(">", other) }

  public static func >= <Other: ColumnValue>(
    one: Self, other: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { one.joined(">=", other) }
}
