import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the help of single commands.
@Suite struct HelpTextTests {
  /// Returns the help of a command as one line, because lines are wrapped.
  private static func help(_ command: String) throws -> String {
    let answer = try run(command, "--help")
    #expect(answer.status == 0)
    return answer.output.split { $0.isWhitespace }.joined(separator: " ")
  }

  /// The words of all commands without subcommands.
  private static let commands: [[String]] = [
    ["ls"], ["info"], ["keys"], ["get"], ["tree"], ["find"], ["rows"], ["query"], ["schema"],
    ["er"], ["stat"], ["top"], ["du"], ["diff"], ["check"], ["watch"], ["doctor"], ["migrations"],
    ["log"], ["advise"], ["cp"], ["export"], ["set"], ["rm"], ["undo"], ["import"], ["convert"],
    ["shell"],
    ["completion"], ["man"], ["vault", "status"], ["vault", "slots"], ["vault", "rekey"],
    ["vault", "verify"], ["sync", "status"], ["sync", "queue"], ["sync", "conflicts"],
    ["sync", "explain"], ["sync", "digest"],
  ]

  @Test(arguments: commands)
  func `the help has a short usage line, and refers to the examples of the manual page`(
    words: [String]
  ) throws {
    let name = words.joined(separator: " ")

    let help = try run(words + ["--help"])
    let other = try run(["help"] + words)

    let usage = help.lines.filter { $0.hasPrefix("USAGE: ") }
    #expect(usage.count == 1)
    #expect(usage.allSatisfy { $0.hasPrefix("USAGE: undercroft \(name) [<options>]") }, "\(usage)")
    #expect(usage.allSatisfy { $0.count <= 80 }, "\(usage)")
    #expect(help.output.hasSuffix("\n\n  See 'undercroft man \(name)' for examples.\n"))
    #expect(other.output == help.output)
  }

  @Test(arguments: [
    ("du", "--depth"), ("rows", "--offset"), ("find", "--also"), ("get", "--show-secrets"),
  ])
  func `the options of a command precede the options of many commands`(
    command: String, option: String
  ) throws {
    let lines = try run(command, "--help").lines

    let own = try #require(lines.firstIndex { $0.hasPrefix("  \(option)") })
    let shared = try #require(lines.firstIndex { $0.hasPrefix("  --key-file") })
    #expect(own < shared)
  }

  @Test func `the help of completion and man says where scripts and pages belong`() throws {
    let completion = try Self.help("completion")
    let man = try Self.help("man")

    #expect(completion.contains("~/.local/share/bash-completion/completions/undercroft,"))
    #expect(completion.contains("_undercroft in a folder of $fpath"))
    #expect(completion.contains("~/.config/fish/completions/undercroft.fish"))
    #expect(man.contains("~/.local/share/man/man1"))
  }

  @Test func `the help of convert lists the backends of new stores`() throws {
    let help = try Self.help("convert")

    for backend in EditLockTests.backends { #expect(help.contains(backend), "\(backend)") }
  }

  @Test func `the help of convert describes each backend in a line of its own`() throws {
    let lines = try run("convert", "--help").lines.map { $0.drop { $0 == " " } }

    for backend in EditLockTests.backends {
      let line = try #require(lines.first { $0.hasPrefix("\(backend): ") }, "\(backend)")
      #expect(line.hasSuffix(".") && !line.contains("another library"), "\(line)")
    }
  }

  @Test func `the help of cp says that damaged values and rows are copied with status 0`() throws {
    let help = try Self.help("cp")

    #expect(help.contains("other damage is copied as well, with the exit status 0"))
    #expect(help.contains("\"check\" finds it in the copy"))
  }

  @Test func `the help of export says how to write a single table`() throws {
    let help = try Self.help("export")

    #expect(help.contains("undercroft rows PATH TABLE --format FORMAT, with --show-secrets"))
  }

  @Test func `the help of rows says how to order rows`() throws {
    #expect(
      try Self.help("rows").contains(
        #"undercroft query PATH "SELECT * FROM record.book ORDER BY title""#))
  }

  @Test func `the statements in the help of query return rows, with JSON and a join of two kinds`()
    throws
  {
    try withHome { home, _ in
      try Storage(home: home.url)
        .save(["days": 14], for: StorageKey("loan", kind: .preference, default: [:]))

      let commands = try Self.help("query").matches(of: #/query PATH ("[^"]+")/#)
      let answers = try commands.map {
        try Program.inspector.runInShell(
          "\"$0\" query \"$1\" \($0.1) --format ndjson", home.url.path)
      }

      #expect(
        answers.map(\.output) == [#"{"days":14}"# + "\n", #"{"bytes":20,"title":"Dune"}"# + "\n"])
      #expect(answers.allSatisfy { $0.status == 0 && $0.errors.isEmpty })
    }
  }

  @Test(arguments: ["rows", "query", "diff", "find", "watch", "get"])
  func `the help of a command that redacts secrets mentions the placeholders`(
    command: String
  ) throws {
    let help = try Self.help(command)

    #expect(help.contains("Values that look like secrets by their names or forms are replaced"))
  }

  @Test(arguments: ["rows", "query", "diff", "find", "watch", "tree", "get"])
  func `the help of a command with placeholders says that fingerprints belong to one run`(
    command: String
  ) throws {
    #expect(try Self.help(command).contains("compare only fingerprints of one run"))
  }
}
