import TestSupport
import Testing

extension HeavyTests {
  @Suite struct TransactionModelTests {
    @Test(arguments: [1, 2, 3])
    func `after random transactions, a second process reads exactly the acknowledged rows`(
      seed: Int
    )
      async throws
    {
      let result = try await KillWriterTool.run(
        "transactions", "--steps", "1500", "--seed", "\(seed)")

      #expect(result.status == 0, "\(result.output)")
      let report = try #require(
        result.lines.last?.wholeMatch(
          of: /1500 steps, (\d+) committed, (\d+) rolled back, (\d+) interrupted, 0 problems/),
        "\(result.output)")
      // A run in which every transaction fails, or none does, proves nothing.
      #expect(try #require(Int(report.1)) > 300)
      #expect(try #require(Int(report.2)) > 100)
      #expect(try #require(Int(report.3)) > 0)
    }
  }
}
