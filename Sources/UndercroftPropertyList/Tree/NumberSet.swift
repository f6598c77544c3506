/// A set of numbers of objects as bits.
///
/// The size is at most one eighth of the number of objects, and grows with the largest number.
struct NumberSet {
  private var words: [UInt64] = []

  func contains(_ number: Int) -> Bool {
    let index = number >> 6
    return words.indices.contains(index) && words[index] & (1 << UInt64(number & 63)) != 0
  }

  /// Inserts a number, which is not negative and less than the number of objects.
  mutating func insert(_ number: Int) {
    let index = number >> 6
    if index >= words.count {
      words.append(contentsOf: repeatElement(0, count: index + 1 - words.count))
    }
    words[index] |= 1 << UInt64(number & 63)
  }

  mutating func remove(_ number: Int) {
    let index = number >> 6
    if words.indices.contains(index) { words[index] &= ~(1 << UInt64(number & 63)) }
  }
}
