import Foundation
import TestSupport
import Testing

/// Tests of statements that SQLite does not interrupt, because they are in one call of a function.
@Suite struct QueryWatchdogTests {
  /// A search that compares 25 MB at each of 25 million positions.
  private static let slowFunction =
    "SELECT instr(printf('%.*c', 50000000, 'a'), printf('%.*c', 25000000, 'a') || 'b')"

  @Test(.timeLimit(.hangLimit), arguments: [[], ["--format", "json"]])
  func `a statement that does not leave a function ends after the time limit`(
    options: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let answer = try Program.inspector.start(
        ["query", home.url.path, Self.slowFunction, "--time-limit", "0.2"] + options
      ).result()

      #expect(!answer.wasKilledBySignal)
      #expect(answer.status == 75)
      #expect(answer.errors.contains("did not end within"), "\(answer.errors)")
      #expect(answer.errors.contains("--time-limit"))
      #expect(answer.errors.contains("\"code\":\"interrupted\"") == !options.isEmpty)
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `the end in a function erases the progress and shows the error`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let terminal = try PseudoTerminal(
        Program.inspector,
        ["query", home.url.path, Self.slowFunction, "--time-limit", "0.2"],
        size: .init(columns: 80, lines: 24), environment: [:])

      let answer = terminal.result()

      #expect(answer.status == 75)
      let end = try #require(answer.output.firstRange(of: "\r\u{1b}[K"))
      #expect(answer.output[end.upperBound...].contains("cannot run the statement"))
      #expect(!answer.output[end.upperBound...].contains("running"))
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `the end in a function removes the private copy of a database`() throws {
    try withTemporaryDirectory { directory in
      let temporary = try TemporaryDirectory()
      let home = try SampleHome(at: directory)
      let file = try #require(
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
          .first { $0.hasSuffix(".sqlite") })
      // A file with a rollback journal is copied, because the journal must be rolled back. The
      // first byte of a journal without changes is 0.
      try Data([0xd9]).write(to: directory.appending(path: file + "-journal"))

      let answer = try Program.inspector.start(
        ["query", home.url.path, Self.slowFunction, "--time-limit", "0.2"],
        environment: ["TMPDIR": temporary.path]
      ).result()

      #expect(answer.status == 75)
      #expect(try temporary.names == [])
    }
  }
}
