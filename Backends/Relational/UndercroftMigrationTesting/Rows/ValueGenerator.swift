import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite
import UndercroftTesting

/// A generator of random values for the columns of a table.
struct ValueGenerator {
  var numbers: SeededGenerator

  /// Returns a value for a column, or `nil` to omit the column from the `INSERT`.
  ///
  /// SQLite then assigns the default of the column or a new rowid.
  ///
  /// - Parameter attempt: how many times the constraints have rejected the current row. From the
  ///   second attempt, literals of the constraints are used more often.
  mutating func value(for column: ColumnShape, attempt: Int) -> SQLValue? {
    if column.isRowID {
      return numbers.chance(7, in: 8) ? nil : .integer(.random(in: 1...1_000_000, using: &numbers))
    }
    if column.hasDefault, numbers.chance(1, in: 6) { return nil }
    if column.isOptional, numbers.chance(1, in: 6) { return .null }
    let isFromConditions = numbers.chance(attempt == 0 ? 3 : 5, in: 6)
    if isFromConditions, let literal = column.literals.randomElement(using: &numbers) {
      return near(literal, column.kind)
    }
    return value(of: column, attempt)
  }

  private mutating func value(of column: ColumnShape, _ attempt: Int) -> SQLValue {
    switch column.kind {
    case .integer: integer(attempt)
    case .real: real()
    case .numeric: numbers.chance(1, in: 2) ? integer(attempt) : real()
    case .text: isTime(column.name) ? time() : text(attempt)
    case .blob: blob(count: .random(in: 0...20, using: &numbers))
    case .any: any(attempt)
    }
  }

  /// Returns a value of a random type, for a column without a type.
  ///
  /// - Parameter attempt: how many times the constraints have rejected the current row.
  private mutating func any(_ attempt: Int) -> SQLValue {
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: integer(attempt)
    case 1: real()
    case 2: text(attempt)
    default: blob(count: .random(in: 0...20, using: &numbers))
    }
  }

  /// Returns a value that a constraint with the literal probably accepts.
  ///
  /// For an integer literal, the value is the literal, a number near the literal, or a string or
  /// blob whose length is the literal. For any other literal, the value is the literal.
  private mutating func near(_ literal: SQLValue, _ kind: ColumnShape.Kind) -> SQLValue {
    guard case .integer(let number) = literal else { return literal }
    switch kind {
    case .text:
      return .text(String(repeating: "x", count: Int(min(max(0, number), 1_000))))
    case .blob: return blob(count: Int(min(max(0, number), 1_000)))
    case .integer, .numeric, .any:
      let offset = Int64.random(in: -2...20, using: &numbers)
      return .integer(numbers.chance(1, in: 2) ? number : number &+ offset)
    case .real: return .real(Double(number) + Double.random(in: -1...10, using: &numbers))
    }
  }

  private mutating func integer(_ attempt: Int) -> SQLValue {
    if attempt == 0, numbers.chance(1, in: 10) {
      return .integer([0, -1, .max - 1, .min, 2_147_483_648].randomElement(using: &numbers) ?? 0)
    }
    return .integer(.random(in: attempt < 5 ? 0...100 : 0...1_000_000_000, using: &numbers))
  }

  private mutating func real() -> SQLValue {
    .real(Double(Int.random(in: -1_000...100_000, using: &numbers)) / 8 + 0.1)
  }

  private mutating func blob(count: Int) -> SQLValue {
    .blob(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }))
  }

  private static let words = [
    "The", "Dispossessed", "O'Brien", "\"Solaris\"", "Łódź", "書架", "👩‍🚀", "100%", "_", "NULL", "0012",
    "1e5", "a\\b", "line\nbreak", "Ünder", "--", "x", " ",
  ]

  private mutating func text(_ attempt: Int) -> SQLValue {
    let count = Int.random(in: 0...4, using: &numbers)
    var words = (0..<count).map { _ in Self.words.randomElement(using: &numbers) ?? "" }
    // A number makes the strings of unique columns differ.
    if attempt > 0 || count > 0 { words.append("\(Int.random(in: 0..<100_000, using: &numbers))") }
    return .text(words.joined(separator: " "))
  }

  private func isTime(_ name: String) -> Bool {
    let name = name.folded.text
    return name.hasSuffix("_at") || name.contains("date") || name.contains("time")
  }

  private mutating func time() -> SQLValue {
    func twoDigits(_ range: ClosedRange<Int>) -> String {
      let number = Int.random(in: range, using: &numbers)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    return .text(
      "20\(twoDigits(0...30))-\(twoDigits(1...12))-\(twoDigits(1...28)) \(twoDigits(0...23)):\(twoDigits(0...59)):00"
    )
  }
}

extension SeededGenerator {
  /// Returns `true` with a probability of `hits` / `count`.
  mutating func chance(_ hits: Int, in count: Int) -> Bool {
    Int.random(in: 0..<max(1, count), using: &self) < hits
  }
}
