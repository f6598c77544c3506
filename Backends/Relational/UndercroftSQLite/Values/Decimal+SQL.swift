public import UndercroftCore
public import UndercroftFoundation

extension Decimal: SQLBindable, SQLReadable {
  /// Returns the number as decimal text, such as `-12.5` or `0`.
  ///
  /// The text has no exponent, and no trailing zeros in its fraction.
  ///
  /// Declare the column as `TEXT`, because SQLite converts the text to an integer or floating-point
  /// number in a column of type `DECIMAL` or `NUMERIC`. SQL compares the text, so that `'10'` sorts
  /// before `'9'`. To sort or add in SQL, store whole cents as an integer instead.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for NaN.
  public func sqlValue() throws(StorageError) -> SQLValue {
    guard !isNaN else {
      throw StorageError(
        .encodingFailed, "cannot bind a Decimal: the number is NaN, which SQLite cannot store",
        suggestion: "bind nil for NULL", backend: SQLiteBackend.name)
    }
    return .text(plainForm)
  }

  /// Reads an integer, or decimal text without an exponent.
  ///
  /// The text may have leading and trailing zeros.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` if a `Decimal` cannot represent all digits. A
  ///   `Decimal` can always represent 38 digits.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Decimal {
    switch column.type {
    case .integer:
      return Decimal(try column.integer())
    case .real:
      throw column.failure(
        "expected an integer or decimal text, found \(column.type)",
        suggestion: "declare the column as TEXT, and write the value again as a Decimal")
    default:
      let text = try column.text()
      guard let number = Decimal(plainForm: text) else {
        throw column.failure(
          "the text is not a decimal number, or has more digits than a Decimal can represent")
      }
      return number
    }
  }

  private var plainForm: String {
    var text = description
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text == "-0" ? "0" : text
  }

  /// Parses digits with an optional minus sign and at most one point.
  ///
  /// Returns `nil` for any other text, and for a number that would be rounded.
  private init?(plainForm text: String) {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }),
      let first = parts.first
    else { return nil }
    let zero = UInt8(ascii: "0")
    var fraction = Array(parts.dropFirst().joined())
    while fraction.last == zero { fraction.removeLast() }
    let whole = Array(first.drop { $0 == zero })
    var digits = Array((whole + fraction).drop { $0 == zero })
    var exponent = -fraction.count
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    while exponent > 127, !digits.isEmpty, digits.count < 39 {
      digits.append(zero)
      exponent -= 1
    }
    if digits.isEmpty {
      self = 0
      return
    }
    // Every Decimal is within these limits, but not every number within them is a Decimal.
    guard digits.count <= 39, (-128...127).contains(exponent) else { return nil }
    var number = Decimal(0)
    for digit in digits { number = number * 10 + Decimal(Int(digit - zero)) }
    number = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: number)
    let form =
      (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
      + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
    guard number.plainForm == form else { return nil }
    self = number
  }
}
