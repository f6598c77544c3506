import Testing

extension HeavyTests {
  @Suite struct ContentionTests {
    @Test(arguments: ["journalled", "gdbm", "files", "single-file", "vault", "sqlite"])
    func `concurrent edits of one value by two processes lose no increment`(store: String)
      async throws
    {
      let (status, lines) = try await KillWriterTool.run(
        "increments", "--store", store, "--count", "300")
      let text = lines.joined(separator: "\n")

      #expect(status == 0, "\(text)")
      #expect(text.contains("2 processes, 600 of 600 increments, 0 processes failed"), "\(text)")
    }

    @Test func `two processes with two threads each write to one database without a failed write`()
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
