import Foundation
import TestSupport
import Testing

/// Tests of the command `query` while its statement runs: the progress on a terminal, and signals.
@Suite struct RunningQueryTests {
  private static let endlessQuery =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  // MARK: Progress

  @Test func `progress appears in one line and is erased at the end`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let terminal = try PseudoTerminal(
        Program.inspector, ["query", home.url.path, Self.endlessQuery, "--time-limit", "3"])

      let output = terminal.result().output

      #expect(output.hasPrefix("\rrunning the statement"))
      #expect(output.contains("\rrunning the statement: 1 s\u{1b}[K"))
      let end = try #require(output.firstRange(of: "\r\u{1b}[K"))
      #expect(!output[end.upperBound...].contains("running"))
      #expect(output[end.upperBound...].contains("cannot"))
    }
  }

  @Test(arguments: [(["--quiet"], "xterm"), ([], "dumb")])
  func `no progress is shown if the user or the terminal wants none`(
    options: [String], term: String
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let output = try PseudoTerminal(
        Program.inspector,
        ["query", home.url.path, Self.endlessQuery, "--time-limit", "0.8"] + options,
        environment: ["TERM": term]
      ).result().output

      #expect(!output.contains("running"))
    }
  }

  @Test func `no progress is written to a file`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let errors = directory.appending(path: "errors").path

      _ = try PseudoTerminal(
        Program.inspector,
        ["query", home.url.path, Self.endlessQuery, "--time-limit", "0.8"], errors: errors
      ).result()

      let text = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(text.hasPrefix("undercroft: "))
      #expect(!text.contains("running"))
    }
  }

  // MARK: Signals

  @Test func `Ctrl-C erases the progress and ends the command by the signal`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let terminal = try PseudoTerminal(
        Program.inspector, ["query", home.url.path, Self.endlessQuery, "--time-limit", "0"])

      #expect(terminal.read(until: "running the statement").hasSuffix("statement"))
      terminal.type("\u{3}")
      let answer = terminal.result()

      #expect(answer.wasKilledBySignal)
      #expect(answer.status == SIGINT)
      #expect(answer.output.hasSuffix("\r\u{1b}[K"))
    }
  }

  @Test func `a shell reports status 130 after Ctrl-C`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let script = #"trap : INT; "$0" query "$1" "$2" --time-limit 0; echo "status $?""#
      let terminal = try PseudoTerminal(
        Program(at: "/bin/sh"),
        ["-c", script, Program.inspector.path, home.url.path, Self.endlessQuery])

      #expect(terminal.read(until: "running the statement").hasSuffix("statement"))
      terminal.type("\u{3}")

      #expect(terminal.result().output.hasSuffix("\r\u{1b}[Kstatus 130\n"))
    }
  }

  @Test func `a shell reports status 143 after SIGTERM`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let script = #"""
        "$0" query "$1" "$2" --time-limit 60 & pid=$!; sleep 0.5; kill $pid; wait $pid
        echo "status $?"
        """#

      let answer = try Program.inspector.runInShell(script, home.url.path, Self.endlessQuery)

      #expect(answer.lastLine == "status 143")
    }
  }

  @Test func `a signal that the parent process ignores stays ignored`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let script = #"""
        trap '' INT; "$0" query "$1" "$2" --time-limit 1 & pid=$!; sleep 0.3; kill -s INT $pid
        wait $pid; echo "status $?"
        """#

      let answer = try Program.inspector.runInShell(script, home.url.path, Self.endlessQuery)

      #expect(answer.output == "status 75\n")
    }
  }

  @Test func `a signal removes the private copy of a database`() throws {
    try withTemporaryDirectory { directory in
      let temporary = try TemporaryDirectory()
      let home = try SampleHome(at: directory)
      try home.addRollbackJournal()
      let running = try Program.inspector.start(
        ["query", home.url.path, Self.endlessQuery, "--time-limit", "0"],
        environment: ["TMPDIR": temporary.path])
      let hasCopy = try waitUntil {
        guard let folder = try temporary.names.first else { return false }
        return FileManager.default.fileExists(atPath: temporary.file(folder + "/copy"))
      }
      #expect(hasCopy)

      running.send(SIGTERM)
      let answer = try running.result()

      #expect(answer.wasKilledBySignal)
      #expect(answer.status == SIGTERM)
      #expect(try temporary.names == [])
    }
  }
}
