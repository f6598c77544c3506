import TestSupport
import Testing

extension HeavyTests {
  @Suite struct MisuseTests {
    @Test func `20,000 invalid calls neither trap nor hang nor damage a store`()
      async throws
    {
      let result = try await KillWriterTool.run("misuse", "--count", "20000")
      #expect(result.status == 0, "\(result.output)")
      let last = try #require(result.lines.last)
      let report = try #require(
        last.wholeMatch(of: /(\d+) misuses, 0 problems/), "\(result.output)")
      #expect(try #require(Int(report.1)) >= 20_000)
    }
  }
}
