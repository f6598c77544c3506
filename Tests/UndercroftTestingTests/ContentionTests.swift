import Testing

extension HeavyTests {
  @Suite struct ContentionTests {
    @Test func `two processes of two threads write to one database and nobody is turned away`()
      async throws
    {
      let (status, lines) = try await KillWriterTool.run(
        "contend", "--threads", "2", "--seconds", "2")
      let text = lines.joined(separator: "\n")
      #expect(status == 0, "\(text)")
      let last = try #require(lines.last)
      let report = try #require(
        last.firstMatch(of: /(\d+) acknowledged writes, 0 lost, 0 failed, longest wait (\d+) ms/),
        "\(text)")
      #expect(try #require(Int(report.1)) > 8)
      #expect(try #require(Int(report.2)) < 5_000)
    }
  }
}
