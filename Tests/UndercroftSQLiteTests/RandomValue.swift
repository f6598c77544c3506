import Foundation
import UndercroftSQLite
import UndercroftTesting

/// Random values of every storage class.
enum RandomValue {
  static func next(_ random: inout SeededGenerator) -> SQLValue {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .null
    case 1: .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 2: .real(real(&random))
    case 3: .text(text(&random, upTo: 40))
    default: .blob(bytes(&random, upTo: 100))
    }
  }

  static func real(_ random: inout SeededGenerator) -> Double {
    while true {
      let number = Double(bitPattern: random.next())
      if !number.isNaN { return number }
    }
  }

  /// Returns random Unicode scalars, including NUL, noncharacters and unassigned ones.
  static func text(_ random: inout SeededGenerator, upTo count: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...count, using: &random) {
      let limits: [UInt32] = [0x3, 0x80, 0x800, 0x10000, 0x110000]
      let limit = limits.randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  static func bytes(_ random: inout SeededGenerator, upTo count: Int) -> Data {
    Data(
      (0..<Int.random(in: 0...count, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      })
  }
}

extension SQLValue {
  /// Returns whether both values are equal bit by bit.
  ///
  /// `==` also accepts canonically equivalent strings.
  func isIdentical(to other: SQLValue?) -> Bool {
    switch (self, other) {
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): Array(left.utf8) == Array(right.utf8)
    default: self == other
    }
  }
}
