import UndercroftSQLite

// NULL is in no range, unless both bounds are `nil`.

extension SQLExpression where Value: ColumnValue, Value.Unwrapped: Comparable {
  /// Returns a condition that is true if the value is in a range
  /// that includes both bounds: `$0.pages.isBetween(100...300)`.
  public func isBetween(_ range: ClosedRange<Value.Unwrapped>) -> Condition {
    bounded(">=", range.lowerBound) && bounded("<=", range.upperBound)
  }

  /// Returns a condition that is true if the value is in a range
  /// that excludes the upper bound: `$0.pages.isBetween(100..<300)`.
  public func isBetween(_ range: Range<Value.Unwrapped>) -> Condition {
    bounded(">=", range.lowerBound) && bounded("<", range.upperBound)
  }

  /// Returns a condition that is true if the value is equal to or
  /// greater than the bound: `$0.pages.isBetween(100...)`.
  public func isBetween(_ range: PartialRangeFrom<Value.Unwrapped>) -> Condition {
    bounded(">=", range.lowerBound)
  }

  /// Returns a condition that is true if the value is equal to or
  /// less than the bound: `$0.pages.isBetween(...300)`.
  public func isBetween(_ range: PartialRangeThrough<Value.Unwrapped>) -> Condition {
    bounded("<=", range.upperBound)
  }

  /// Returns a condition that is true if the value is less than
  /// the bound: `$0.pages.isBetween(..<300)`.
  public func isBetween(_ range: PartialRangeUpTo<Value.Unwrapped>) -> Condition {
    bounded("<", range.upperBound)
  }
}

extension SQLExpression where Value: ColumnValue {
  /// Returns a condition that is true if the value is between two bounds, both included.
  ///
  /// A `nil` bound is ignored, as in a partly filled-in filter.
  ///
  /// Without any bound, the condition is true for every row, even if the value is NULL.
  public func isBetween(_ least: Value.Unwrapped?, _ greatest: Value.Unwrapped?) -> Condition {
    let bounds = [least.map { bounded(">=", $0) }, greatest.map { bounded("<=", $0) }]
    return .all(bounds.compactMap { $0 })
  }

  private func bounded(_ operator: StaticString, _ bound: Value.Unwrapped) -> Condition {
    joined(`operator`, "\(bound)")
  }
}
