import Testing
import UndercroftInspection

@Suite struct SVGNumberTests {
  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (12, "12"), (12.5, "12.5"), (12.05, "12.05"), (0.999, "1"),
      (-0.25, "-0.25"), (-0.001, "0"), (1.0 / 3, "0.33"), (123_456.789, "123456.79"),
    ] as [(Double, String)])
  func `a number has at most two decimals and no trailing zeros`(value: Double, text: String) {
    #expect(SVGNumber.text(value) == text)
  }

  @Test func `a number that is not finite is written as zero`() {
    let texts = [Double.nan, .infinity, -.infinity].map { SVGNumber.text($0) }

    #expect(texts == ["0", "0", "0"])
  }

  @Test func `a huge number is limited without an exponent`() {
    #expect(SVGNumber.text(1e300) == "1000000000")
    #expect(SVGNumber.text(-.greatestFiniteMagnitude) == "-1000000000")
  }
}
