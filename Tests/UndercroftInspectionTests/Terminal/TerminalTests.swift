import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the inspector on a pseudo-terminal.
@Suite struct TerminalTests {
  /// A home with a given number of preferences, whose names are numbers.
  private static func withHome(_ count: Int = 3, _ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let storage = try Storage(home: home)
      for number in 0..<count {
        let key = StorageKey("loan \(1_000 + number)", kind: .preference, default: "")
        try storage.save("Emma", for: key)
      }
      try body(home)
    }
  }

  private static func start(
    _ arguments: [String], columns: UInt16 = 80, lines: UInt16 = 24, _ environment: [String: String]
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      Program.inspector, arguments, size: .init(columns: columns, lines: lines),
      environment: environment)
  }

  private static func show(
    _ arguments: String..., columns: UInt16 = 80, lines: UInt16 = 24,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try start(arguments, columns: columns, lines: lines, environment).result()
  }

  private static let endlessQuery =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  // MARK: Pager

  @Test func `output that is longer than the screen is shown by the pager`() throws {
    try Self.withHome(30) { home in
      let answer = try Self.show(
        "keys", home.path, lines: 20, environment: ["PAGER": "sed s/^/paged:/"])

      #expect(answer.status == 0)
      let lines = answer.lines
      #expect(lines.count == 31)
      #expect(lines.allSatisfy { $0.hasPrefix("paged:") })
    }
  }

  @Test func `output that fits the screen is shown without the pager`() throws {
    try Self.withHome(18) { home in
      let answer = try Self.show(
        "keys", home.path, lines: 20, environment: ["PAGER": "sed s/^/paged:/"])

      #expect(answer.lines.count == 19)
      #expect(!answer.output.contains("paged:"))
    }
  }

  @Test func `lines that the terminal wraps count as several lines`() throws {
    try Self.withHome(12) { home in
      let answer = try Self.show(
        "keys", home.path, "--wide", columns: 12, lines: 20,
        environment: ["PAGER": "sed s/^/paged:/"])

      #expect(answer.output.hasPrefix("paged:"))
    }
  }

  @Test func `the default pager gets the options of less`() throws {
    try Self.withHome(30) { home in
      let answer = try Self.show(
        "keys", home.path, environment: ["PAGER": "cat >/dev/null; echo LESS=$LESS"])

      #expect(answer.output == "LESS=FRX\n")
    }
  }

  @Test(arguments: [
    ([], ["PAGER": "cat"]), ([], ["PAGER": ""]), ([], ["PAGER": "undercroft-no-such-pager -x"]),
    ([], ["PAGER": "sed s/^/paged:/", "TERM": "dumb"]),
    (["--no-pager"], ["PAGER": "sed s/^/paged:/"]),
  ])
  func `long output is written directly without a pager`(
    options: [String], environment: [String: String]
  ) throws {
    try Self.withHome(30) { home in
      let answer = try Self.start(["keys", home.path] + options, environment).result()

      #expect(answer.status == 0)
      #expect(answer.lines.count == 31)
      #expect(!answer.output.contains("paged:"))
    }
  }

  @Test func `leaving the pager early ends the command without an error`() throws {
    try Self.withHome(150) { home in
      let answer = try Self.show(
        "get", home.path, "loan 1000", "--no-pager", "--color", "never",
        environment: ["PAGER": "head -n 1"])
      let paged = try Self.show(
        "keys", home.path, "--color", "never", environment: ["PAGER": "head -n 1"])

      #expect(answer.output == "\"Emma\"\n")
      #expect(paged.status == 0)
      #expect(paged.lines.first?.hasPrefix("kind") == true)
    }
  }

  @Test func `a terminal shows 100 rows, and a note after the pager has ended`() throws {
    try Self.withHome(150) { home in
      let paged = try Self.show("keys", home.path, environment: ["PAGER": "sed s/^/paged:/"])
      let quiet = try Self.show("keys", home.path, "--quiet", "--no-pager")
      let all = try Self.show("keys", home.path, "--limit", "150", "--no-pager")

      #expect(paged.lines.count == 102)
      #expect(
        paged.lastLine == "undercroft: the first 100 rows are shown; to show more, pass --limit")
      #expect(quiet.lines.count == 101)
      #expect(all.lines.count == 151)
    }
  }

  // MARK: Colours

  @Test func `headings and kinds have colours only on a terminal`() throws {
    try Self.withHome { home in
      let colored = try Self.show("keys", home.path)
      let plain = try Self.show("keys", home.path, environment: ["NO_COLOR": "1"])
      let piped = try run("keys", home.path)
      let forced = try run("keys", home.path, "--color", "always")

      #expect(colored.output.hasPrefix("\u{1b}[1mkind\u{1b}[0m"))
      #expect(colored.output.contains("\u{1b}[36mpreference\u{1b}[0m"))
      #expect(!plain.output.contains("\u{1b}"))
      #expect(piped.output == plain.output)
      #expect(forced.output == colored.output)
    }
  }

  @Test func `stored data cannot control the terminal`() throws {
    try Self.withHome(0) { home in
      let odd = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}"
      try Storage(home: home).save(odd, for: StorageKey(odd, kind: .preference, default: ""))
      for arguments in [
        ["keys", home.path], ["get", home.path, odd], ["find", home.path, "owned"],
        ["top", home.path], ["get", home.path, odd + "x"],
      ] {
        let output = try Self.start(arguments, [:]).result().output

        let rest = output.replacing(#/\u{1b}\[[0-9;]*m/#, with: "")
        #expect(!output.isEmpty)
        #expect(
          !rest.unicodeScalars.contains { ["\u{1b}", "\u{7}", "\u{9b}", "\u{202e}"].contains($0) },
          "\(arguments[0])")
      }
    }
  }

  @Test(arguments: ["csv", "tsv", "sql"])
  func `a carriage return in a value cannot replace a line on the terminal`(
    format: String
  ) throws {
    try Self.withHome(0) { home in
      let odd = "stolen\rreturned\r\n\u{1b}[2K"
      try Storage(home: home).save(odd, for: StorageKey(odd, kind: .preference, default: ""))

      let output = try Self.start(["keys", home.path, "--format", format], [:]).result().output

      let rest = output.replacing(#/\u{1b}\[[0-9;]*m/#, with: "").unicodeScalars
      let lines = rest.split(separator: "\n").map { $0.last == "\r" ? $0.dropLast() : $0 }
      #expect(output.contains("stolen"))
      #expect(lines.allSatisfy { line in !line.contains("\u{1b}") })
      // The terminal itself writes a carriage return before each line feed.
      #expect(lines.allSatisfy { line in !line.dropLast().contains("\r") }, "\(lines)")
    }
  }

  @Test func `an error begins with a colour only on a terminal`() throws {
    let shown = try Self.show("keys", "/nowhere")
    let piped = try run("keys", "/nowhere")

    #expect(shown.status == 66)
    #expect(shown.output.hasPrefix("\u{1b}[1;31mundercroft:\u{1b}[0m cannot"))
    #expect(piped.errors.hasPrefix("undercroft: cannot"))
  }

  // MARK: Width

  @Test(arguments: [40, 60, 80, 120])
  func `lines fit the terminal`(columns: UInt16) throws {
    try Self.withHome { home in
      let answer = try Self.show("ls", home.path, "--color", "never", columns: columns, lines: 60)

      #expect(answer.lines.count > 3)
      #expect(answer.lines.allSatisfy { $0.count <= Int(columns) })
    }
  }

  // MARK: Progress

  @Test func `progress appears in one line and is erased at the end`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let terminal = try Self.start(
        ["query", home.url.path, Self.endlessQuery, "--time-limit", "1.5"], [:])

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

      let output = try Self.start(
        ["query", home.url.path, Self.endlessQuery, "--time-limit", "0.8"] + options,
        ["TERM": term]
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
      let terminal = try Self.start(
        ["query", home.url.path, Self.endlessQuery, "--time-limit", "0"], [:])

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

  // MARK: Passphrase

  @Test func `a passphrase is typed without echo`() throws {
    try Self.withHome { home in
      let terminal = try Self.start(["ls", home.path, "--ask-passphrase"], [:])
      #expect(terminal.read(until: "Passphrase: ").hasSuffix("Passphrase: "))
      #expect(waitUntil { !terminal.hasEcho })

      terminal.type("open sesame\n")
      let answer = terminal.result()

      #expect(answer.status == 0)
      #expect(answer.output.contains("preference"))
      #expect(!answer.output.contains("sesame"))
      #expect(terminal.hasEcho)
    }
  }

  @Test func `diff asks for the passphrase once`() throws {
    try Self.withHome { home in
      let terminal = try Self.start(["diff", home.path, home.path, "--ask-passphrase"], [:])
      _ = terminal.read(until: "Passphrase: ")
      #expect(waitUntil { !terminal.hasEcho })

      terminal.type("open sesame\n")

      #expect(terminal.status() == 0)
    }
  }

  @Test func `Ctrl-C while a passphrase is typed turns the echo on again`() throws {
    try Self.withHome { home in
      let terminal = try Self.start(["ls", home.path, "--ask-passphrase"], [:])
      _ = terminal.read(until: "Passphrase: ")
      #expect(waitUntil { !terminal.hasEcho })

      terminal.type("open\u{3}")
      let answer = terminal.result()

      #expect(answer.wasKilledBySignal)
      #expect(answer.status == SIGINT)
      #expect(!answer.output.contains("open"))
      #expect(terminal.hasEcho)
    }
  }
}
