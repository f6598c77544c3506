import UndercroftRelational

/// One of the six comparisons.
enum Comparison: String, CaseIterable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension Term {
  /// Returns a condition that compares this term with a value.
  ///
  /// In `==` and `!=`, NULL is compared like any other value.
  func compared(_ comparison: Comparison, _ value: Value, _ cell: Cell) -> Predicate {
    Predicate("\(text) \(comparison.rawValue) \(cell)") { columns in
      switch comparison {
      case .equal: library(columns) == value
      case .notEqual: library(columns) != value
      case .less: library(columns) < value
      case .lessOrEqual: library(columns) <= value
      case .greater: library(columns) > value
      case .greaterOrEqual: library(columns) >= value
      }
    } model: { rows in
      let own = model(rows)
      if let order = own.compared(to: cell, ownCollation) { return comparison.holds(order) }
      switch comparison {
      case .equal: return own.isNull && cell.isNull
      case .notEqual: return own.isNull != cell.isNull
      default: return false
      }
    }
  }

  /// Returns a condition that compares this term with another term.
  ///
  /// If either term is NULL, the result is not true.
  func compared<Other: ColumnValue>(
    _ comparison: Comparison, _ other: Term<Other>
  ) -> Predicate where Other.Unwrapped == Value.Unwrapped {
    let collation = collation(with: other)
    return Predicate("\(text) \(comparison.rawValue) \(other.text)") { columns in
      let (lhs, rhs) = (library(columns), other.library(columns))
      return switch comparison {
      case .equal: lhs == rhs
      case .notEqual: lhs != rhs
      case .less: lhs < rhs
      case .lessOrEqual: lhs <= rhs
      case .greater: lhs > rhs
      case .greaterOrEqual: lhs >= rhs
      }
    } model: { rows in
      model(rows).compared(to: other.model(rows), collation).map(comparison.holds) ?? false
    }
  }
}
