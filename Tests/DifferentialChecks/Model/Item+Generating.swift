extension Item {
  static let texts = [
    "", "a", "A", "ab", "aB", "b", "B", "abc", "é", "a%b", "a_b", "a*b", "a[b", "a?b", "ab ", " ",
    "ab\0cd", "ab\0", "\0", "none",
  ]
  /// Strings without NUL, because NOCASE of SQLite ignores all characters after a NUL.
  static let foldedTexts = [
    "a", "A", "ab", "AB", "aB", "b", "", "Berlin", "berlin", "BERLIN", "é", "%", "_", "a b",
  ]

  static func number(_ choices: Choices) -> Int {
    choices.oneIn(24)
      ? choices.pick([Int.max, .min, .max - 1, 1 << 53, -(1 << 53) - 1])
      : choices.pick([0, 1, 2, 3, -1, -2, 5, 10, 7, -7])
  }

  static func real(_ choices: Choices) -> Double {
    choices.oneIn(24)
      ? choices.pick([.infinity, -.infinity, 1e300, 0x1p63])
      : choices.pick([0, 1, 0.5, -0.25, 2, 3.75, -1])
  }

  static func text(_ choices: Choices) -> String { choices.pick(texts) }
  static func foldedText(_ choices: Choices) -> String { choices.pick(foldedTexts) }

  static func optional<Value>(_ choices: Choices, _ value: (Choices) -> Value) -> Value? {
    choices.oneIn(4) ? nil : value(choices)
  }

  static func generate(_ choices: Choices, id: Int64) -> Item {
    Item(
      id: id, a: number(choices), b: optional(choices, number), x: optional(choices, real),
      s: text(choices), t: optional(choices, foldedText))
  }

  /// Generates items with different keys, some of which are not positive.
  static func list(_ choices: Choices, atMost most: Int = 12) -> [Item] {
    var id = Int64(choices.oneIn(3) ? -choices.below(4) : 0)
    return choices.list(atMost: most) {
      id += Int64(choices.below(3)) + 1
      return generate(choices, id: id)
    }
  }
}
