import Foundation
import Testing
import UndercroftFileSystem
import UndercroftInspection

/// Tests of the search for a text in bytes.
@Suite struct ByteSearcherTests {
  /// Returns the offset of the first occurrence, found by comparing every place.
  private static func offset(of pattern: [UInt8], in text: [UInt8], ignoringCase: Bool) -> Int? {
    let fold = { (byte: UInt8) in
      ignoringCase && (0x41...0x5a).contains(byte) ? byte + 0x20 : byte
    }
    guard pattern.count <= text.count else { return nil }
    return (0...text.count - pattern.count).first { start in
      pattern.indices.allSatisfy { fold(text[start + $0]) == fold(pattern[$0]) }
    }
  }

  /// Returns all texts of the given length of the letters "a", "b" and "B".
  private static func texts(_ length: Int) -> [[UInt8]] {
    (0..<length).reduce([[]]) { texts, _ in
      texts.flatMap { text in "abB".utf8.map { text + [$0] } }
    }
  }

  @Test(arguments: [false, true])
  func `the first occurrence is found in every short text`(ignoringCase: Bool) {
    let texts = (0...6).flatMap(Self.texts)
    for pattern in (1...3).flatMap(Self.texts) {
      var searcher = ByteSearcher(
        BytePattern(String(decoding: pattern, as: UTF8.self), ignoresCase: ignoringCase))
      for text in texts {
        let expected = Self.offset(of: pattern, in: text, ignoringCase: ignoringCase)

        let found = searcher.offset(in: Data(text))

        #expect(found == expected, "\(pattern) in \(text)")
      }
    }
  }

  // The searcher gives up a byte that is frequent, and ends with another algorithm.
  @Test(arguments: [false, true], ["zap", "xqz", "quay", "loan"])
  func `a text is found after many places that contain each of its bytes`(
    ignoringCase: Bool, word: String
  ) {
    var searcher = ByteSearcher(BytePattern(word, ignoresCase: ignoringCase))
    let misses = String(repeating: String(word.reversed()) + ". ", count: 5_000)
    let shown = ignoringCase ? word.uppercased() : word

    let offsets = [misses + shown, shown, misses, "a " + shown].map { searcher.offset(in: $0) }

    #expect(offsets == [misses.utf8.count, 0, nil, 2])
  }

  @Test func `a text that is longer than the bytes is not found`() {
    var searcher = ByteSearcher(BytePattern("library"))

    #expect(searcher.offset(in: "librar") == nil)
    #expect(searcher.offset(in: "") == nil)
    #expect(searcher.offset(in: "library") == 0)
  }

  @Test func `only the case of ASCII letters is ignored`() {
    var searcher = ByteSearcher(BytePattern("Éa@[", ignoresCase: true))

    #expect(searcher.offset(in: "éA@[") == nil)
    #expect(searcher.offset(in: "ÉA@{") == nil)
    #expect(searcher.offset(in: "ÉA`[") == nil)
    #expect(searcher.offset(in: "xÉA@[") == 1)
  }
}
