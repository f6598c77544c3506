import UndercroftSQLite

// A comparison with a Swift value treats `nil` as in Swift: `note == nil` finds the rows without a
// note, and `note != "lent"` includes them. A comparison of two columns treats NULL as in SQL: NULL
// is equal to nothing, so that a join does not match two rows without a key. NULL is neither less
// nor greater than any value.

extension SQLExpression where Value: ColumnValue {
  /// Returns a condition that is true if the expression equals the value.
  ///
  /// `nil` matches NULL.
  public static func == (lhs: Self, value: Value?) -> Condition {
    if let value, !Value.isOptional { return lhs.joined("=", "\(value)") }
    return lhs.compared("IS", value)
  }

  /// Returns a condition that is true if the expression differs from the value.
  ///
  /// NULL equals `nil`, and differs from all other values. An expression whose type is not optional
  /// can be NULL as well, for example a division by zero, or a column of a row that a left join
  /// does not find.
  public static func != (lhs: Self, value: Value?) -> Condition { lhs.compared("IS NOT", value) }

  private func compared(_ word: StaticString, _ value: Value?) -> Condition {
    // NULL is written as a literal instead of being bound, because
    // SQLite then finds a better query plan.
    if let value, (try? value.sqlValue()) != .null { return joined(word, "\(value)") }
    return joined(word, "NULL")
  }

  /// Returns a condition that is true if the expression is less than the value.
  public static func < (lhs: Self, value: Value) -> Condition { lhs.joined("<", "\(value)") }
  /// Returns a condition that is true if the expression is less than or equal to the value.
  public static func <= (lhs: Self, value: Value) -> Condition { lhs.joined("<=", "\(value)") }
  /// Returns a condition that is true if the expression is greater than the value.
  public static func > (lhs: Self, value: Value) -> Condition { lhs.joined(">", "\(value)") }
  /// Returns a condition that is true if the expression is greater than or equal to the value.
  public static func >= (lhs: Self, value: Value) -> Condition { lhs.joined(">=", "\(value)") }
}

extension SQLExpression where Value: ColumnValue {
  /// Returns a condition that is true if both expressions have the same value.
  ///
  /// The types of both expressions can be optional. NULL equals no value, not even NULL.
  public static func == <Other: ColumnValue>(
    lhs: Self, rhs: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { lhs.joined("=", rhs) }

  /// Returns a condition that is true if both expressions have a value, and the values differ.
  public static func != <Other: ColumnValue>(
    lhs: Self, rhs: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { lhs.joined("<>", rhs) }

  /// Returns a condition that is true if the first expression is less than the second.
  public static func < <Other: ColumnValue>(
    lhs: Self, rhs: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { lhs.joined("<", rhs) }

  /// Returns a condition that is true if the first expression is less than or equal to the second.
  public static func <= <Other: ColumnValue>(
    lhs: Self, rhs: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { lhs.joined("<=", rhs) }

  /// Returns a condition that is true if the first expression is greater than the second.
  public static func > <Other: ColumnValue>(
    lhs: Self, rhs: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { lhs.joined(">", rhs) }

  /// Returns a condition that is true if the first expression is
  /// greater than or equal to the second.
  public static func >= <Other: ColumnValue>(
    lhs: Self, rhs: SQLExpression<Other>
  ) -> Condition where Other.Unwrapped == Value.Unwrapped { lhs.joined(">=", rhs) }
}
