import Testing
import UndercroftInspection

@Suite struct SVGTextTests {
  @Test func `markup characters are escaped even before combining marks`() {
    let text = SVGText.escaped("<a href=\"x\" b='y'>&]]> <\u{338}")

    #expect(
      text.unicodeScalars.elementsEqual(
        "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;]]&gt; &lt;\u{338}".unicodeScalars))
  }

  @Test func `control characters and characters that change the direction are replaced`() {
    for scalar in [
      "\0", "\t", "\n", "\u{1b}", "\u{7f}", "\u{85}", "\u{202e}", "\u{2066}", "\u{200f}",
    ] {
      #expect(SVGText.escaped("a\(scalar)b") == "a\u{fffd}b")
    }
    #expect(SVGText.escaped("\u{fffe}\u{ffff}\u{2028}") == "\u{fffd}\u{fffd}\u{fffd}")
  }

  @Test func `letters of other scripts, emoji and their joiners are unchanged`() {
    let text = "Bücherei 図書館 مكتبة 👩‍🚀 می\u{200c}خواهم"

    #expect(SVGText.escaped(text) == text)
  }

  @Test func `a very long text is cut off`() {
    let text = SVGText.escaped(String(repeating: "x", count: 100_000))

    #expect(text == String(repeating: "x", count: 1000) + "…")
  }
}
