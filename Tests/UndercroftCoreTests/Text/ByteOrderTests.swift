import Testing
import UndercroftCore
import UndercroftTesting

/// Tests of sorting by the UTF-8 bytes of names.
@Suite struct ByteOrderTests {
  @Test func `names are sorted by their bytes, and a prefix precedes longer names`() {
    let sorted = [
      "", "Z", "a", "a\0", "a\0\0", "ab", "abcdefgh", "abcdefgh\0", "abcdefghi", "cafe\u{301}",
      "caf\u{e9}", "z", "\u{ffff}", "\u{1f4d6}",
    ]

    let found = sorted.shuffled().sorted(byBytesOf: \.self)

    #expect(found.map(\.exact) == sorted.map(\.exact))
  }

  // The first eight bytes after the common prefix are compared as one number.
  @Test(arguments: ["", "reader/", "a common prefix of more than eight bytes/"])
  func `random names have the order of their exact strings`(prefix: String) {
    var random = SeededGenerator(seed: 17)
    let names = (0..<2_000).map { _ in
      let letters = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        ["a", "b", "\0", "é", "/"].randomElement(using: &random) ?? ""
      }
      return prefix + letters.joined()
    }

    let found = names.sorted(byBytesOf: \.self)

    #expect(found.map(\.exact) == names.map(\.exact).sorted())
  }

  @Test func `names of the same words are sorted, and equal names keep their order`() {
    var random = SeededGenerator(seed: 18)
    let words = ["book/001", "book/002", String(repeating: "\0", count: 8), "\0", "loan"]
    let names = (0..<2_000).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined()
    }

    let found = Array(names.enumerated()).sorted(byBytesOf: \.element)

    let expected = names.enumerated().sorted {
      ($0.element.exact, $0.offset) < ($1.element.exact, $1.offset)
    }
    #expect(found.map(\.offset) == expected.map(\.offset))
  }

  @Test func `elements are sorted together with their names`() {
    let loans = [(name: "reader/2", days: 14), (name: "reader/10", days: 7), (name: "", days: 1)]

    let found = loans.sorted(byBytesOf: { $0.name })

    #expect(found.map(\.days) == [1, 7, 14])
  }

  @Test func `the bytes of names contain each name at its position`() {
    let names = ["Emma", "", "caf\u{e9}", "Dune", "cafe\u{301}"]
    var bytes = NameBytes()
    for name in names { bytes.append(name) }

    let found = names.indices.map { bytes.name(at: $0).exact }

    #expect(found == names.map(\.exact))
    #expect(bytes.order() == [1, 3, 0, 4, 2])
    #expect(NameBytes().order().isEmpty)
  }

  @Test func `no names, one name and equal names are sorted`() {
    #expect([String]().sorted(byBytesOf: \.self).isEmpty)
    #expect(["Emma"].sorted(byBytesOf: \.self) == ["Emma"])
    #expect(["", ""].sorted(byBytesOf: \.self) == ["", ""])
    #expect(["Emma", "Dune", "Emma"].sorted(byBytesOf: \.self) == ["Dune", "Emma", "Emma"])
  }
}
