import Testing
import UndercroftInspection

@Suite struct SVGTextMetricsTests {
  @Test func `a text that fits is unchanged`() {
    for text in ["", "loan", "borrower_identifier", "図書館"] {
      #expect(SVGTextMetrics.fitted(text, in: SVGTextMetrics.width(text)) == text)
    }
  }

  @Test(arguments: hostileTexts)
  func `a shortened text is never wider than the available width`(text: String) {
    for width in [-5.0, 0, 3, 12, 50, 200] {
      for style in [SVGClass.label, .strong, .heading] {
        let fitted = SVGTextMetrics.fitted(text, in: width, style)

        #expect(SVGTextMetrics.width(fitted, style) <= max(width, 12 * 1.45) + 0.1)
      }
    }
  }

  @Test func `a text that does not fit ends with an ellipsis`() {
    #expect(SVGTextMetrics.fitted("lending_library_members", in: 80) == "lending_li…")
  }
}
