import UndercroftRelational

extension Term {
  /// Tests whether this term is one of some values, where NULL is compared like any other value.
  func isIn(_ values: [Value], _ cells: [Cell], isNegated: Bool) -> Predicate {
    Predicate("\(text).\(isNegated ? "isNotIn" : "isIn")(\(cells))") { columns in
      isNegated ? library(columns).isNotIn(values) : library(columns).isIn(values)
    } model: { rows in
      let own = model(rows)
      let isThere = cells.contains {
        own.isNull ? $0.isNull : own.compared(to: $0, ownCollation) == 0
      }
      return isThere != isNegated
    }
  }
}

extension Term where Value.Unwrapped: Comparable {
  /// Tests whether this term is between two bounds.
  ///
  /// If the value of this term is NULL, the result is not true.
  func isBetween(
    _ least: Value.Unwrapped, _ greatest: Value.Unwrapped, _ cells: (Cell, Cell), form: Int
  ) -> Predicate {
    let isOrdered = least <= greatest
    return Predicate("\(text).isBetween(\(cells), form \(form))") { columns in
      let own = library(columns)
      return switch form {
      case 0: isOrdered ? own.isBetween(least...greatest) : own.isBetween(least, greatest)
      case 1: isOrdered ? own.isBetween(least..<greatest) : own.isBetween(least, greatest)
      case 2: own.isBetween(least...)
      case 3: own.isBetween(...greatest)
      case 4: own.isBetween(..<greatest)
      case 5: own.isBetween(nil, greatest)
      case 6: own.isBetween(least, nil)
      default: own.isBetween(nil, nil)
      }
    } model: { rows in
      if form > 6 { return true }
      let own = model(rows)
      guard let low = own.compared(to: cells.0, ownCollation),
        let high = own.compared(to: cells.1, ownCollation)
      else { return false }
      let isBelow = form == 4 || form == 1 && isOrdered ? high < 0 : high <= 0
      return switch form {
      case 2, 6: low >= 0
      case 3, 4, 5: isBelow
      default: low >= 0 && isBelow
      }
    }
  }
}
