import Foundation
import TestSupport
import Testing
import UndercroftCore

/// The parent suite of test suites that start programs with a heavy load.
///
/// Only the tests within one of these suites run one after the other. If the suites did so too,
/// they would use a single core for minutes after all other tests have ended.
@Suite(.heavy) enum HeavyTests {}

extension HeavyTests {
  @Suite(.serialized) struct KillLoopTests {
    /// The stores that the program `KillWriter` supports, which a test verifies.
    static let stores = [
      "sheet", "journalled", "gdbm", "files", "single-file", "vault", "sqlite",
      "sqlite.transactions",
    ]

    @Test(arguments: stores)
    func `no acknowledged write is lost when the writer process is killed twenty times`(
      store: String
    ) async throws {
      let result = try await KillWriterTool.run("loop", "--store", store, "--rounds", "20")
      #expect(result.status == 0, "\(result.output)")

      let last = try #require(result.lines.last)
      let report = try #require(
        last.wholeMatch(
          of:
            /(.+): 20 rounds, 20 kills, (\d+) acknowledged writes, 0 lost, 0 never written, 0 half batches, 0 unopenable.*/
        ), "\(result.output)")
      #expect(report.1 == store)
      // A loop that kills before the first write proves nothing.
      #expect(try #require(Int(report.2)) >= 20)
    }

    @Test(arguments: [
      ("forgetful", "[1-9][0-9]* lost"), ("torn", "[1-9][0-9]* half batches"),
      ("in-place", "1 unopenable"), ("failing", "0 unopenable"),
    ])
    func `the kill test detects a store that violates a guarantee`(store: String, sign: String)
      async throws
    {
      let result = try await withTemporaryDirectory { directory in
        try await KillWriterTool.run(
          "loop", "--store", store, "--rounds", "60", "--seed", "1", "--directory", directory.path)
      }

      #expect(result.status == 1)
      #expect(
        try result.lines.last?.firstMatch(of: Regex(sign)) != nil, "\(result.lines.suffix(3))")
    }

    @Test func `the kill tool lists the same stores as the kill tests`() async throws {
      let known = try await KillWriterTool.run("stores").lines
      #expect(known == Self.stores)
    }
  }
}
