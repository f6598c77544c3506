public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Decimal: SQLBindable, SQLReadable {
  /// Returns its one plain form as text: `-12.5`, no exponent, no zeros at the end, `0` for zero.
  ///
  /// Declare the column `TEXT`: with `DECIMAL` or `NUMERIC` SQLite makes a `Double` of it. SQL compares the text, so that
  /// `'10' < '9'`; to sort or add keep whole cents as an integer instead.
  ///
  /// - Throws: ``StorageError/Code/encodingFailed`` for NaN.
  public func sqlValue() throws(StorageError) -> SQLValue {
    guard !isNaN else {
      throw StorageError(
        .encodingFailed, "cannot bind a decimal number: SQLite cannot keep NaN",
        cure: "bind nil where there is no number", backend: SQLiteBackend.name)
    }
    return .text(plainForm)
  }

  /// Reads the plain form, zeros at either end allowed, or an integer.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for more than 38 digits, which it could not keep.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> Decimal {
    switch column.type {
    case .integer:
      return Decimal(try column.integer())
    case .real:
      throw column.failure("it holds a floating-point number; declare the column TEXT")
    default:
      let text = try column.text()
      guard let number = Decimal(plainForm: text) else {
        throw column.failure("the text is no decimal number of up to 38 digits")
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

  /// Reads digits with at most one point among them and a minus before them.
  private init?(plainForm text: String) {
    var digits = text.utf8[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }),
      let whole = parts.first
    else { return nil }
    var places = parts.dropFirst().first ?? ""[...].utf8
    while places.last == UInt8(ascii: "0") { places = places.dropLast() }
    var significand = Array((Array(whole) + Array(places)).drop { $0 == UInt8(ascii: "0") })
    var exponent = -places.count
    while significand.count > 1, exponent >= 0, significand.last == UInt8(ascii: "0") {
      significand.removeLast()
      exponent += 1
    }
    guard significand.count <= 38, (-127...127).contains(exponent) else { return nil }
    var number = Decimal(0)
    for digit in significand { number = number * 10 + Decimal(Int(digit - UInt8(ascii: "0"))) }
    if !significand.isEmpty {
      number = Decimal(
        sign: isNegative ? .minus : .plus, exponent: exponent, significand: number)
    }
    self = number
  }
}
