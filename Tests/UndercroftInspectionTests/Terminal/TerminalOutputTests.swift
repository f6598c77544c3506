import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the output of the inspector on a terminal: pager, colours and width.
@Suite struct TerminalOutputTests {
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

  // MARK: Pager

  @Test func `output that is longer than the screen is shown by the pager`() throws {
    try withHome(preferenceCount: 30) { home in
      let answer = try Self.show(
        "keys", home.path, lines: 20, environment: ["PAGER": "sed s/^/paged:/"])

      #expect(answer.status == 0)
      let lines = answer.lines
      #expect(lines.count == 31)
      #expect(lines.allSatisfy { $0.hasPrefix("paged:") })
    }
  }

  @Test func `output that fits the screen is shown without the pager`() throws {
    try withHome(preferenceCount: 18) { home in
      let answer = try Self.show(
        "keys", home.path, lines: 20, environment: ["PAGER": "sed s/^/paged:/"])

      #expect(answer.lines.count == 19)
      #expect(!answer.output.contains("paged:"))
    }
  }

  @Test func `lines that the terminal wraps count as several lines`() throws {
    try withHome(preferenceCount: 12) { home in
      let answer = try Self.show(
        "keys", home.path, "--wide", columns: 12, lines: 20,
        environment: ["PAGER": "sed s/^/paged:/"])

      #expect(answer.output.hasPrefix("paged:"))
    }
  }

  @Test func `the default pager gets the options of less`() throws {
    try withHome(preferenceCount: 30) { home in
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
    try withHome(preferenceCount: 30) { home in
      let answer = try Self.start(["keys", home.path] + options, environment).result()

      #expect(answer.status == 0)
      #expect(answer.lines.count == 31)
      #expect(!answer.output.contains("paged:"))
    }
  }

  @Test func `leaving the pager early ends the command without an error`() throws {
    try withHome(preferenceCount: 150) { home in
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
    try withHome(preferenceCount: 150) { home in
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
    try withHome(preferenceCount: 3) { home in
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
    try withHome(preferenceCount: 0) { home in
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
    try withHome(preferenceCount: 0) { home in
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
    try withHome(preferenceCount: 3) { home in
      let answer = try Self.show("ls", home.path, "--color", "never", columns: columns, lines: 60)

      #expect(answer.lines.count > 3)
      #expect(answer.lines.allSatisfy { $0.count <= Int(columns) })
    }
  }
}
