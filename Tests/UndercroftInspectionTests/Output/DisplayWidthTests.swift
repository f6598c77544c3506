import Testing
import UndercroftInspection

@Suite struct DisplayWidthTests {
  private static let widths: [(text: String, columns: Int)] = [
    ("", 0), ("Dune", 4), ("Zoë", 3), ("e\u{301}", 1), ("e\u{301}\u{302}\u{303}", 1),
    ("砂の惑星", 8), ("ｄｕｎｅ", 8), ("ﾃﾞｭｰﾝ", 5), ("모래언덕", 8),
    // Hangul as conjoining letters, and a syllable with two leading consonants
    ("\u{1106}\u{1169}", 2), ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", 4),
    ("\u{1107}\u{1109}\u{1161}", 2), ("\u{ac00}\u{11a8}", 2), ("\u{ac00}\u{302e}", 2),
    // Emoji, with a skin tone, joined, as a flag, as a keycap, and as a flag of tags
    ("📚", 2), ("👍🏽", 2), ("☝🏽", 2), ("👩‍🚀", 2), ("👨‍👩‍👧‍👦", 2), ("❤️‍🔥", 2), ("❤\u{200d}🔥", 2),
    ("🇳🇿", 2), ("🇳🇿🇫🇷", 4), ("🇳", 1), ("1️⃣", 2), ("#️⃣", 2), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2), ("🏽", 2),
    // The presentation selectors
    ("❤", 1), ("❤\u{fe0f}", 2), ("⌚", 2), ("⌚\u{fe0e}", 1), ("☎\u{fe0e}", 1), ("🈚\u{fe0e}", 2),
    ("〽\u{fe0e}", 2), ("a\u{fe0f}", 1), ("©", 1), ("5", 1),
    // Ambiguous width, and a private-use character
    ("…", 1), ("§α", 2), ("①", 1), ("\u{e000}", 1),
    // No width of their own
    ("\u{200b}", 0), ("a\u{200d}b", 2), ("\u{feff}", 0), ("\u{202e}", 0), ("\r\n", 0), ("\t", 0),
    ("\u{1b}", 0), ("\u{301}", 0),
    // Several columns in one grapheme cluster: Thai and Devanagari
    ("กำ", 2), ("नमस्ते", 4), ("שָׁלוֹם", 4), ("سَلَام", 4),
    // Unassigned in the planes of ideographs, and added in Unicode 16
    ("\u{3fffd}", 2), ("\u{1fae9}", 2), ("\u{10ffff}", 1),
  ]

  @Test(arguments: widths)
  func `the width of a text is the number of its terminal columns`(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
    #expect(DisplayWidth.of(text[...] + "ab") == columns + 2)
  }

  @Test(arguments: [
    ("The Left Hand of Darkness", 10, "The Left …", "The …kness"),
    ("Dune", 4, "Dune", "Dune"), ("Dune", 3, "Du…", "D…e"), ("Dune", 2, "D…", "…e"),
    ("Dune", 1, "…", "…"), ("Dune", 0, "", ""), ("Dune", -5, "", ""), ("", 3, "", ""),
    ("砂の惑星", 7, "砂の惑…", "砂…惑星"), ("砂の惑星", 6, "砂の…", "砂…星"), ("砂の惑星", 3, "砂…", "…星"),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…", "…👨‍👩‍👧‍👦"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…", "…e\u{301}"),
  ])
  func `a truncated text ends with an ellipsis or has it in the middle`(
    text: String, columns: Int, end: String, middle: String
  ) {
    #expect(Array(DisplayWidth.truncated(text, to: columns).utf8) == Array(end.utf8))
    let shortened = DisplayWidth.truncated(text, to: columns, ellipsis: .middle)
    #expect(Array(shortened.utf8) == Array(middle.utf8))
  }

  @Test(arguments: [DisplayWidth.Ellipsis.end, .middle])
  func `a truncated text never exceeds the columns and contains only whole grapheme clusters`(
    ellipsis: DisplayWidth.Ellipsis
  ) {
    let texts = Self.widths.map(\.text)
    let text = (texts + texts.reversed()).joined(separator: "/")
    let clusters = Set(text).union(["…"])

    for columns in 0...DisplayWidth.of(text) {
      let shortened = DisplayWidth.truncated(text, to: columns, ellipsis: ellipsis)

      #expect(DisplayWidth.of(shortened) <= columns)
      #expect(DisplayWidth.of(shortened) >= columns - 2)
      #expect(shortened.allSatisfy { clusters.contains($0) })
    }
  }

  @Test func `a text of a million characters is truncated without measuring all of it`() {
    let text = String(repeating: "砂", count: 1_000_000)

    let start = ContinuousClock.now
    for _ in 0..<1_000 { _ = DisplayWidth.truncated(text, to: 20, ellipsis: .middle) }

    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `a padded text is aligned at the chosen side of its column`() {
    #expect(DisplayWidth.padded("惑星", to: 7) == "惑星   ")
    #expect(DisplayWidth.padded("惑星", to: 7, alignment: .trailing) == "   惑星")
    #expect(DisplayWidth.padded("惑星", to: 7, alignment: .center) == " 惑星  ")
    #expect(DisplayWidth.padded("惑星", to: 4) == "惑星")
    #expect(DisplayWidth.padded("惑星", to: 3) == "惑星")
    #expect(DisplayWidth.padded("惑星", to: .min) == "惑星")
  }

  @Test(arguments: [
    ("The Left Hand of Darkness", 10, ["The Left", "Hand of", "Darkness"]),
    ("The Dispossessed", 8, ["The", "Disposse", "ssed"]), ("", 5, [""]), ("Dune", 4, ["Dune"]),
    ("砂の惑星 Dune", 5, ["砂の", "惑星", "Dune"]), ("砂の", 1, ["砂", "の"]),
  ])
  func `a text is wrapped between words, and a long word between characters`(
    text: String, columns: Int, lines: [String]
  ) {
    #expect(DisplayWidth.wrapped(text, to: columns) == lines)
  }

  @Test func `the last one of a limited number of lines ends with an ellipsis`() {
    let lines = DisplayWidth.wrapped("The Left Hand of Darkness", to: 10, maximumLines: 2)

    #expect(lines == ["The Left", "Hand of D…"])
  }
}
