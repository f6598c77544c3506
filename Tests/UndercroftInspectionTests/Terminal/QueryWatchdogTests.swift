import Foundation
import TestSupport
import Testing

/// Tests of statements that SQLite does not interrupt, because they are in one call of a function
/// or are being planned.
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
  func `a statement that SQLite plans for minutes is not explained after the time limit`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      // SQLite compares each condition of the statement with each condition of each index, for each
      // table, and examines no limit meanwhile.
      let values = (1..<900).map { "shelf = -\($0)" }.joined(separator: " OR ")
      let indexes = (1...100).map { "CREATE INDEX book_\($0) ON book(shelf) WHERE \(values);" }
      try SQLiteShell.run(
        "BEGIN; CREATE TABLE book(shelf INTEGER); \(indexes.joined(separator: "\n")) COMMIT",
        on: url)
      let tables = (0..<60).map { "book AS b\($0)" }.joined(separator: ", ")
      let conditions = (0..<900).map { "b0.shelf = \($0)" }.joined(separator: " AND ")
      let sql = "SELECT 1 FROM \(tables) WHERE \(conditions)"
      let begin = ContinuousClock.now

      let answer = try run("query", url.path, sql, "--explain", "--time-limit", "0.2")

      #expect(answer.status == 75)
      #expect(answer.errors.contains("did not end within 0.2 seconds"), "\(answer.errors)")
      #expect(answer.output.isEmpty)
      // Without the watchdog, planning takes longer than five minutes.
      #expect(begin.duration(to: .now) < .seconds(240))
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
      try home.addRollbackJournal()

      let answer = try Program.inspector.start(
        ["query", home.url.path, Self.slowFunction, "--time-limit", "0.2"],
        environment: ["TMPDIR": temporary.path]
      ).result()

      #expect(answer.status == 75)
      #expect(try temporary.names == [])
    }
  }
}
