extension Cell {
  /// Compares two values in the order of SQLite: NULL, numbers, strings.
  func order(_ other: Cell, _ collation: Collation) -> Int {
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    case (.real(let lhs), .real(let rhs)): lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    case (.integer(let lhs), .real(let rhs)): Self.order(lhs, rhs)
    case (.real(let lhs), .integer(let rhs)): -Self.order(rhs, lhs)
    case (.text(let lhs), .text(let rhs)): collation.order(lhs, rhs)
    default: rank - other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    }
  }

  /// Compares an integer with a floating-point number without rounding the integer.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  /// Compares two values like an SQL operator.
  ///
  /// - Returns: a number less than, equal to or greater than 0, or `nil` if either value is NULL.
  func compared(to other: Cell, _ collation: Collation) -> Int? {
    isNull || other.isNull ? nil : order(other, collation)
  }
}
