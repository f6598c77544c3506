import Foundation

extension Everything {
  private static let texts = [
    "", "plain", "\0", "a\0b", "é", "e\u{301}", "👩‍👩‍👧", "it's", "\"quoted\"", "line\nbreak",
    "\u{FEFF}x",
    "\u{10FFFF}", "NULL", "1.0", "x'00'",
  ]

  /// Generates any bits except NaN, which is rejected, and -0.0, which SQLite stores as 0.
  private static func double(_ choices: Choices) -> Double {
    let value = Double(bitPattern: choices.bits())
    return value.isNaN || value == 0 ? 0.5 : value
  }

  private static func float(_ choices: Choices) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: choices.bits()))
    return value.isNaN || value == 0 ? 0.5 : value
  }

  private static func data(_ choices: Choices) -> Data {
    Data(choices.list(atMost: 6) { UInt8(choices.below(256)) })
  }

  private static func date(_ choices: Choices) -> Date {
    let milliseconds = Int64(choices.bits() % 250_000_000_000_000) - 60_000_000_000_000
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  private static func decimal(_ choices: Choices) -> Decimal {
    Decimal(
      sign: choices.oneIn(2) ? .minus : .plus, exponent: choices.number(-20...20),
      significand: Decimal(choices.bits()))
  }

  private static func uuid(_ choices: Choices) -> UUID {
    var bytes = (0..<16).map { _ in UInt8(choices.below(256)) }
    return bytes.withUnsafeMutableBytes { $0.loadUnaligned(as: UUID.self) }
  }

  private static func tags(_ choices: Choices) -> Tags {
    var inner: [String: [Int]] = [:]
    for _ in 0..<choices.below(3) { inner[choices.pick(texts)] = [choices.below(9)] }
    return Tags(
      names: choices.list(atMost: 3) { choices.pick(texts) },
      ranks: choices.list(atMost: 3) { choices.oneIn(2) ? nil : choices.below(9) },
      inner: inner, depth: choices.oneIn(2) ? .none : .some(.some(choices.below(9))))
  }

  static func generate(_ choices: Choices, id: Int64) -> Everything {
    func bits<Value: FixedWidthInteger>() -> Value { Value(truncatingIfNeeded: choices.bits()) }
    func maybe<Value>(_ value: Value) -> Value? { choices.oneIn(2) ? nil : value }
    let url = choices.pick([
      "https://example.org/a?b=c#d", "file:///tmp/a%20b", "mailto:a@b.org", "relative/path",
    ])
    return Everything(
      id: id, i8: bits(), i16: bits(), i32: bits(), i64: bits(), i: bits(), u8: bits(),
      u16: bits(), u32: bits(), u64: bits() >> 1, u: bits() >> 1, flag: choices.oneIn(2),
      double: double(choices), float: float(choices), text: choices.pick(texts),
      data: data(choices), uuid: uuid(choices), date: date(choices), decimal: decimal(choices),
      url: URL(string: url) ?? URL(filePath: "/"),
      kind: choices.pick([.novel, .essay, .poem]), tags: tags(choices), maybeInt: maybe(bits()),
      maybeDouble: maybe(double(choices)), maybeText: maybe(choices.pick(texts)),
      maybeData: maybe(data(choices)), maybeDate: maybe(date(choices)),
      maybeKind: maybe(choices.pick([.novel, .essay])))
  }
}
