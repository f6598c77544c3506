import UndercroftSQLite

/// A writer of floating-point numbers as SQL that SQLite reads with exactly the same bits.
///
/// SQLite sometimes reads decimal digits with an error in the last bit. So the writer first lets
/// SQLite read the digits of each number. If the result differs, the number is written as an exact
/// calculation instead.
struct RealLiteralWriter {
  private var cache: [UInt64: String] = [:]

  mutating func literal(_ number: Double, _ db: Connection) throws -> String {
    if let text = cache[number.bitPattern] { return text }
    var text = Self.exact(number)
    if number.isFinite {
      let digits = "\(number)"
      let read: SQLValue = try db.fetchValue(SQL(unchecked: "SELECT \(digits)"))
      if case .real(let read) = read, read.bitPattern == number.bitPattern { text = digits }
    }
    if cache.count < 1_000 { cache[number.bitPattern] = text }
    return text
  }

  /// Returns an SQL expression whose value is exactly the number: an integer that is multiplied or
  /// divided by powers of two.
  ///
  /// An infinity is written as a literal that overflows, and NaN as `NULL`.
  static func exact(_ number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    if number == 0 { return number.sign == .minus ? "(0.0 * -1)" : "0.0" }
    guard number.isFinite else { return "NULL" }
    var digits = number.magnitude.significandBitPattern
    var exponent = -1074
    if number.isNormal {
      digits |= 1 << 52
      exponent = Int(number.exponent) - 52
    }
    let zeros = digits.trailingZeroBitCount
    digits >>= UInt64(zeros)
    exponent += zeros
    var text = "\(number < 0 ? "-" : "")\(digits).0"
    let sign = exponent < 0 ? "/" : "*"
    var rest = abs(exponent)
    while rest > 0 {
      let part = min(rest, 50)
      text += " \(sign) \(UInt64(1) << UInt64(part)).0"
      rest -= part
    }
    return "(\(text))"
  }
}
