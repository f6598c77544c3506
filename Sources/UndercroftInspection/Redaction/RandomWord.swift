/// The statistics of the letters and digits of a word, from which random words are recognised.
///
/// Random text changes between lowercase letters, uppercase letters and digits more often than
/// identifiers do, whose letters form words. Of random texts of 20 letters and digits, the limits
/// accept 94 percent with both cases and 80 percent in lowercase. Of texts in base 32, they accept
/// 70 percent.
struct RandomWord {
  private enum Kind {
    case lowercase
    case uppercase
    case digit
  }

  private static let minimumSize = 20
  /// The minimum number of letters and digits of a word of the minimum size, because base64 has
  /// other characters too.
  private static let minimumCount = 17
  /// The minimum number of hexadecimal digits (128 bits), because shorter ones are identifiers.
  private static let minimumHexadecimalCount = 32

  /// Whether all letters and digits are hexadecimal digits in one case.
  let isHexadecimal: Bool
  /// Whether the word looks random.
  let isRandom: Bool

  init(_ bytes: ArraySlice<UInt8>) {
    let word = bytes.filter(ASCIIClass.isAlphanumeric)
    let kinds = word.map(Self.kind)
    let hasBothCases = kinds.contains(.lowercase) && kinds.contains(.uppercase)
    let hasLettersAndDigits = kinds.contains(.digit) && kinds.contains { $0 != .digit }
    isHexadecimal = !hasBothCases && word.allSatisfy(ASCIIClass.isHexadecimal)
    guard bytes.count >= Self.minimumSize, word.count >= Self.minimumCount, hasLettersAndDigits,
      !Self.isRepetitive(word),
      !Self.isSortableIdentifier(word)
    else {
      isRandom = false
      return
    }
    if isHexadecimal {
      isRandom = word.count >= Self.minimumHexadecimalCount
      return
    }
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    guard hasBothCases else {
      // A smaller part of base 32, which is in uppercase, are digits.
      let minimum = kinds.contains(.uppercase) ? 25 : 30
      isRandom =
        changes * 100 >= minimum * (word.count - 1) && kinds.split { $0 != .digit }.count >= 3
      return
    }
    // The words of an identifier are longer than the lowercase runs of random text.
    let longestRun = 6 + word.count / 16
    isRandom =
      changes * 100 >= 40 * (word.count - 1)
      && kinds.split { $0 != .lowercase }.allSatisfy { $0.count <= longestRun }
  }

  private static func kind(_ byte: UInt8) -> Kind {
    if ASCIIClass.isDigit(byte) { return .digit }
    return ASCIIClass.isUppercase(byte) ? .uppercase : .lowercase
  }

  /// Returns whether two random characters of the word are equal with a probability above 1/8.
  private static func isRepetitive(_ word: [UInt8]) -> Bool {
    var counts = [Int](repeating: 0, count: 128)
    for byte in word { counts[Int(byte & 0x7f)] += 1 }
    return counts.reduce(0) { $0 + $1 * $1 } * 8 > word.count * word.count
  }

  /// Returns whether a word is a ULID of the years 2005 to 2039: a time and a random number in
  /// Crockford's base 32.
  private static func isSortableIdentifier(_ word: [UInt8]) -> Bool {
    word.count == 26 && word.starts(with: "01".utf8)
      && word.allSatisfy {
        !ASCIIClass.isLowercase($0) && !"ILOU".utf8.contains($0)
      }
  }
}
