import Testing

extension HeavyTests {
  @Suite struct MisuseTests {
    @Test func `20 000 invalid calls neither trap nor hang nor damage a store`()
      async throws
    {
      let (status, lines) = try await KillWriterTool.run("misuse", "--count", "20000")
      let text = lines.joined(separator: "\n")
      #expect(status == 0, "\(text)")
      let last = try #require(lines.last)
      let report = try #require(last.wholeMatch(of: /(\d+) misuses, 0 problems/), "\(text)")
      #expect(try #require(Int(report.1)) >= 20_000)
    }
  }
}
