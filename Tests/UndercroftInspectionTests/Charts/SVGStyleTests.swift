import Testing
import UndercroftInspection

@Suite struct SVGStyleTests {
  @Test func `the sheet contains the colours of the dark scheme in a media query`() {
    let parts = SVGStyle.sheet.split(separator: "@media (prefers-color-scheme: dark){")

    #expect(parts.count == 2)
    #expect(parts.first?.contains("#\(SVGPalette.light.bar)") == true)
    #expect(parts.last?.contains("#\(SVGPalette.dark.bar)") == true)
  }

  @Test func `every rule is limited to charts`() {
    let rules = SVGStyle.sheet.split(separator: "\n").filter { $0.contains("{") }

    #expect(rules.count > 20)
    #expect(rules.allSatisfy { $0.hasPrefix(".undercroft-chart ") || $0.hasPrefix("@media") })
  }

  @Test func `colours of areas repeat for any index`() {
    #expect(SVGClass.fill(8) == SVGClass.fill(0))
    #expect(SVGClass.fill(.min) == SVGClass.fill(0))
    #expect(SVGClass.fill(3) != SVGClass.fill(4))
  }
}
