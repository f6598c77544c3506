/// A collation, which determines how strings are compared.
enum Collation: Sendable, Hashable {
  case binary
  case noCase

  /// Compares two strings, and returns a number less than, equal to or greater than 0.
  func order(_ lhs: String, _ rhs: String) -> Int {
    switch self {
    case .binary: Self.order(Array(lhs.utf8), Array(rhs.utf8))
    case .noCase:
      // NOCASE of SQLite stops at a NUL and then compares the numbers of bytes.
      Self.foldedOrder(Array(lhs.utf8), Array(rhs.utf8))
    }
  }

  private static func order(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    for (left, right) in zip(lhs, rhs) where left != right { return left < right ? -1 : 1 }
    return lhs.count - rhs.count
  }

  private static func foldedOrder(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    for (left, right) in zip(lhs, rhs) {
      let (left, right) = (left.asciiLowercased, right.asciiLowercased)
      if left != right { return left < right ? -1 : 1 }
      if left == 0 { break }
    }
    return lhs.count - rhs.count
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}

extension String {
  /// This string with the letters A to Z in lower case, as in SQLite without ICU.
  var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }

  /// This string with the letters a to z in upper case, as in SQLite without ICU.
  var asciiUppercased: String {
    String(decoding: utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }
}
