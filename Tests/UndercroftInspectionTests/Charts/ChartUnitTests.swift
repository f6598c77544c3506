import Testing
import UndercroftInspection

@Suite struct ChartUnitTests {
  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (999.7, "1 kB"), (1500, "1.5 kB"), (999_949, "999.9 kB"),
      (999_950, "1 MB"), (2e9, "2 GB"), (1.5e18, "1.5 EB"), (1e300, "1e+300 B"), (-1500, "-1.5 kB"),
      (.nan, "unknown"), (.infinity, "∞"), (-.infinity, "−∞"),
    ] as [(Double, String)])
  func `sizes have decimal prefixes`(value: Double, text: String) {
    #expect(ChartUnit.bytes.text(value) == text)
  }

  @Test(
    arguments: [
      (0, "0"), (12, "12"), (0.25, "0.25"), (1_234_567_890_123, "1234567890123"), (1e20, "1e+20"),
    ] as [(Double, String)])
  func `counts have no prefixes`(value: Double, text: String) {
    #expect(ChartUnit.count.text(value) == text)
  }

  @Test(
    arguments: [
      (0, "0%"), (1, "100%"), (0.5, "50%"), (0.1234, "12.3%"), (0.0001, "<0.1%"), (.nan, "0%"),
      (-1, "0%"),
    ] as [(Double, String)])
  func `shares are percentages with one decimal`(share: Double, text: String) {
    #expect(ChartUnit.percentage(share) == text)
  }
}
