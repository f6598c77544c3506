import Testing
import UndercroftInspection

@Suite struct ChartValueTests {
  @Test func `shares of huge numbers add up to one`() {
    let values = (0..<10).map { ChartValue("\($0)", .greatestFiniteMagnitude) }

    let shares = values.shares
    #expect(abs(shares.reduce(0, +) - 1) < 1e-9)
    #expect(shares.allSatisfy { abs($0 - 0.1) < 1e-9 })
  }

  @Test func `an infinite number has the share of the largest finite number`() {
    let values = [.infinity, 1, .greatestFiniteMagnitude].map { ChartValue("", $0) }

    let shares = values.shares
    #expect(shares[0] == 0.5)
    #expect(shares[1] < 1e-300)
    #expect(shares[2] == 0.5)
  }

  @Test func `negative numbers and numbers that are not finite have no share of zero values`() {
    let values = [-1, 0, .nan, -.infinity].map { ChartValue("", $0) }

    #expect(values.shares == [0, 0, 0, 0])
  }
}
