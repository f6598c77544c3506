import UndercroftSQLite

// Of an optional column only what has a value is between two others.

extension SQLExpression where Value: ColumnValue, Value.Unwrapped: Comparable {
  /// Whether its value lies between two, both included: `$0.pages.isBetween(100...300)`.
  public func isBetween(_ range: ClosedRange<Value.Unwrapped>) -> Condition {
    bounded(">=", range.lowerBound) && bounded("<=", range.upperBound)
  }

  /// Whether its value lies between two, without the second: `$0.pages.isBetween(100..<300)`.
  public func isBetween(_ range: Range<Value.Unwrapped>) -> Condition {
    bounded(">=", range.lowerBound) && bounded("<", range.upperBound)
  }

  /// Whether its value is this or a greater one: `$0.pages.isBetween(100...)`.
  public func isBetween(_ range: PartialRangeFrom<Value.Unwrapped>) -> Condition {
    bounded(">=", range.lowerBound)
  }

  /// Whether its value is this or a lesser one: `$0.pages.isBetween(...300)`.
  public func isBetween(_ range: PartialRangeThrough<Value.Unwrapped>) -> Condition {
    bounded("<=", range.upperBound)
  }

  /// Whether its value is less than this: `$0.pages.isBetween(..<300)`.
  public func isBetween(_ range: PartialRangeUpTo<Value.Unwrapped>) -> Condition {
    bounded("<", range.upperBound)
  }
}

extension SQLExpression where Value: ColumnValue {
  /// Whether its value lies between two, both included, of which `nil` is no bound: what somebody has filled in of a filter.
  ///
  /// Without any bound every row fulfils it, also one without a value.
  public func isBetween(_ least: Value.Unwrapped?, _ greatest: Value.Unwrapped?) -> Condition {
    let bounds = [least.map { bounded(">=", $0) }, greatest.map { bounded("<=", $0) }]
    return .all(bounds.compactMap { $0 })
  }

  private func bounded(_ operator: StaticString, _ bound: Value.Unwrapped) -> Condition {
    joined(`operator`, "\(bound)")
  }
}
