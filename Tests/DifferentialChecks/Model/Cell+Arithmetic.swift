extension Cell {
  /// An arithmetic operator of two numbers.
  ///
  /// Integers that overflow become floating-point numbers. If an operand is NULL, the result is
  /// NULL.
  enum Operator: String, CaseIterable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
  }

  func calculated(_ operator: Operator, _ other: Cell) -> Cell {
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): Self.integers(lhs, `operator`, rhs)
    case (.integer(let lhs), .real(let rhs)): Self.reals(Double(lhs), `operator`, rhs)
    case (.real(let lhs), .integer(let rhs)): Self.reals(lhs, `operator`, Double(rhs))
    case (.real(let lhs), .real(let rhs)): Self.reals(lhs, `operator`, rhs)
    default: .null
    }
  }

  private static func integers(_ lhs: Int64, _ operator: Operator, _ rhs: Int64) -> Cell {
    if `operator` == .over, rhs == 0 { return .null }
    let (result, overflows) =
      switch `operator` {
      case .plus: lhs.addingReportingOverflow(rhs)
      case .minus: lhs.subtractingReportingOverflow(rhs)
      case .times: lhs.multipliedReportingOverflow(by: rhs)
      case .over: lhs.dividedReportingOverflow(by: rhs)
      }
    return overflows ? reals(Double(lhs), `operator`, Double(rhs)) : .integer(result)
  }

  private static func reals(_ lhs: Double, _ operator: Operator, _ rhs: Double) -> Cell {
    if `operator` == .over, rhs == 0 { return .null }
    let result =
      switch `operator` {
      case .plus: lhs + rhs
      case .minus: lhs - rhs
      case .times: lhs * rhs
      case .over: lhs / rhs
      }
    return result.isNaN ? .null : .real(result)
  }
}
