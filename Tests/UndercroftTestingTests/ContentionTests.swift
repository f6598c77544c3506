import TestSupport
import Testing

extension HeavyTests {
  @Suite(.serialized) struct ContentionTests {
    @Test(arguments: ["journalled", "gdbm", "files", "single-file", "vault", "sqlite"])
    func `concurrent edits of one value by two processes lose no increment`(store: String)
      async throws
    {
      let result = try await KillWriterTool.run(
        "increments", "--store", store, "--count", "300")

      #expect(result.status == 0, "\(result.output)")
      #expect(
        result.output.contains("2 processes, 600 of 600 increments, 0 processes failed"),
        "\(result.output)")
    }

    @Test func `two processes, each with two threads, write to one database, and no write fails`()
      async throws
    {
      let result = try await KillWriterTool.run(
        "contend", "--threads", "2", "--seconds", "2")
      #expect(result.status == 0, "\(result.output)")

      let last = try #require(result.lines.last)
      let report = try #require(
        last.firstMatch(of: /(\d+) acknowledged writes, 0 lost, 0 failed, longest wait (\d+) ms/),
        "\(result.output)")
      #expect(try #require(Int(report.1)) > 8)
      #expect(try #require(Int(report.2)) < 5_000)
    }
  }
}
