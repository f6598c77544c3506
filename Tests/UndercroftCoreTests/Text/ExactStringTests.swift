import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct ExactStringTests {
  /// "é" as one scalar and as two: `String` considers both equal.
  private static let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

  @Test func `canonically equivalent strings wrapped in ExactString are different dictionary keys`()
  {
    let keys: [ExactString: Int] = [ExactString(Self.composed): 1, ExactString(Self.decomposed): 2]

    #expect(Self.composed == Self.decomposed)
    #expect(ExactString(Self.composed) != ExactString(Self.decomposed))
    #expect(keys[ExactString(Self.composed)] == 1)
    #expect(keys[ExactString(Self.decomposed)] == 2)
  }

  @Test func `ExactString keys with equal bytes are equal and have equal hash values`() {
    let texts = [
      "", "a", "fifteen bytes!!", "sixteen bytes!!!", Self.composed,
      String(repeating: "é", count: 99),
    ]

    for text in texts {
      let copy = String(decoding: Array(text.utf8), as: UTF8.self)
      #expect(ExactString(text) == ExactString(copy))
      #expect(ExactString(text).hashValue == ExactString(copy).hashValue)
      #expect(ExactString(text) != ExactString(text + "\0"))
    }
  }

  @Test func `ExactString keys are ordered by their UTF-8 bytes`() {
    // Scalars beyond U+FFFF come last in UTF-8, and a prefix comes before the whole string.
    let sorted = ["", "Z", "a", "a\0", "ab", "e\u{301}", "z", "\u{e9}", "\u{ffff}", "\u{1f4d6}"]

    let found = sorted.shuffled().map { ExactString($0) }.sorted()

    #expect(found.map { Array($0.text.utf8) } == sorted.map { Array($0.utf8) })
  }

  @Test(arguments: [MemoryBackend() as any StorageBackend, MinimalBackend()])
  func `an in-memory backend distinguishes canonically equivalent names with different bytes`(
    backend: any StorageBackend
  ) throws {
    let names = [Self.composed, Self.decomposed]

    try backend.apply(names.map { .set($0, Data($0.utf8)) })

    for name in names { #expect(try backend.read(name) == Data(name.utf8)) }
    #expect(Set(try backend.keys(withPrefix: "").map { Array($0.utf8) }).count == 2)
  }

  @Test func `a SearchListBackend returns canonically equivalent key names as separate keys`()
    throws
  {
    let (first, second) = (MemoryBackend(), MemoryBackend())
    try first.apply([.set(Self.composed, Data())])
    try second.apply([.set(Self.decomposed, Data())])

    let names = try SearchListBackend(overrides: [first], primary: second).keys(withPrefix: "")

    #expect(
      names.map { Array($0.utf8) } == [Self.decomposed, Self.composed].map { Array($0.utf8) })
  }

  @Test
  func `an observer of one key is not notified of changes under a canonically equivalent name`()
    throws
  {
    let gate = Gate(MemoryBackend())
    let notifications = Mutex(0)
    let registration = try gate.observe([Self.composed]) { notifications.withLock { $0 += 1 } }

    try gate.apply([.set(Self.decomposed, Data())])
    #expect(notifications.withLock { $0 } == 0)
    try gate.apply([.set(Self.composed, Data())])

    #expect(notifications.withLock { $0 } == 1)
    withExtendedLifetime(registration) {}
  }
}
