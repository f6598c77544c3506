import Foundation
import TestSupport
import Testing
import UndercroftInspection

/// The completion scripts, in the shells for which they are.
@Suite struct CompletionCommandTests {
  /// Names that a shell would run, expand or split if the scripts did not quote them.
  private static let oddNames = [
    "reading list", "it's", "it'\u{301}s", "$(touch owned)", "`touch owned`", "a;touch owned",
    "'; touch owned; '", "\"quoted\"", "line\nbreak", "\u{1b}[31mred", "$HOME", "{a,b}", "*",
    "back\\slash", "a:b", "tab\tstop", "\u{202e}reversed",
  ]

  @Test func `the script of bash completes kinds, values, tables and commands`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "my library"))

      #expect(try bash(directory, "keys", home.url.path, "--kind", "pre") == ["preference"])
      #expect(try bash(directory, "get", home.url.path, "the") == ["theme"])
      #expect(
        try bash(directory, "get", "--kind", "blob", home.url.path, "") == [
          "cover/dune", "cover/emma",
        ])
      #expect(try bash(directory, "rows", home.url.path, "a") == ["author"])
      #expect(try bash(directory, "schema", home.url.path, "--table", "a") == ["author"])
      #expect(try bash(directory, "comp") == ["completion"])
    }
  }

  @Test func `the names of the stores of all given kinds are completed`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      let schema = ["schema", home.url.path, "--kind"]

      let first = try bash(
        directory, schema + ["record", "--kind", "preference", "--table", "a"])
      let last = try bash(directory, schema + ["preference", "--kind=record", "--table", "a"])
      let none = try bash(directory, schema + ["preference", "--kind", "blob", "--table", "a"])

      #expect(first == ["author"])
      #expect(last == ["author"])
      #expect(none.isEmpty)
    }
  }

  @Test func `the names of values to show, set or remove contain no tables`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))

      for command in ["get", "set", "rm"] {
        let found = try bash(directory, command, home.url.path, "")

        #expect(found.contains("theme"), "\(command)")
        #expect(!found.contains("book") && !found.contains("author"), "\(command)")
      }
    }
  }

  @Test(arguments: ["help", "man"])
  func `the script of bash completes commands and those of groups after help and man`(
    command: String
  ) throws {
    try withTemporaryDirectory { directory in
      let commands = try bash(directory, command, "co")
      let ofGroup = try bash(directory, command, "sync", "con")
      let ofCommand = try bash(directory, command, "ls", "")

      #expect(commands == ["convert", "completion"])
      #expect(ofGroup == ["conflicts"])
      #expect(ofCommand.isEmpty)
    }
  }

  @Test func `the scripts of zsh and fish complete commands after help as after man`() throws {
    let zsh = try run("completion", "zsh").lines
    let fish = try run("completion", "fish").lines

    let function = try #require(zsh.firstIndex(of: "_undercroft_help() {"))
    #expect(zsh[function...].prefix(5).contains { $0.contains("---completion man ") })
    let help = fish.filter { $0.contains("\"undercroft help\" -ge 1") }
    #expect(help.count == 1 && help.allSatisfy { $0.contains("---completion man ") })
  }

  @Test func `bash resolves quotes and a tilde in the typed path`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "my library"))
      let escaped = home.url.path.split(separator: " ").joined(separator: "\\ ")

      #expect(try bash(directory, "get", escaped, "the") == ["theme"])
      #expect(try bash(directory, "get", "\"\(home.url.path)\"", "the") == ["theme"])
      #expect(try bash(directory, "get", "~/my\\ library", "the") == ["theme"])
    }
  }

  @Test func `no name of a value makes bash run or expand anything`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))
      for name in Self.oddNames { try home.save("x", as: name) }

      let found = try bash(directory, "get", "--kind", "preference", home.url.path, "")

      let names = Self.oddNames + ["theme", "window.title"]
      #expect(Set(found) == Set(names.map { ValueText.safe($0) }))
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/owned"))
    }
  }

  @Test func `fish inserts a name with a command in quotes`() throws {
    try withTemporaryDirectory { directory in
      let fish = try PseudoTerminal(
        Program(at: "/usr/bin/env"), ["fish", "-N", "-i"], environment: try environment(directory))

      try completeOddName(
        directory, fish, start: "cd \(directory.path); function fish_prompt; echo 'ready> '; end",
        source: "undercroft completion fish | source")
    }
  }

  @Test func `zsh inserts a name with a command in quotes`() throws {
    try withTemporaryDirectory { directory in
      let zsh = try PseudoTerminal(
        Program(at: "/usr/bin/env"), ["zsh", "-f", "-i"], environment: try environment(directory))

      try completeOddName(
        directory, zsh,
        start: "cd \(directory.path); PS1='ready> '; autoload -Uz compinit; compinit -u -D",
        source: "undercroft completion zsh > script; source ./script")
    }
  }

  /// Completes a name with a colon and a command in a shell, and shows the value with this name.
  private func completeOddName(
    _ directory: URL, _ shell: PseudoTerminal, start: String, source: String
  ) throws {
    let home = try SampleHome(at: directory.appending(path: "library"))
    try home.save("Emma", as: "list:$(touch owned) 'a'")

    shell.type(start + "\r")
    // The typed line contains the prompt too.
    try shell.expect("ready> ")
    try shell.expect("ready> ")
    shell.type(source + "\r")
    try shell.expect("ready> ")
    shell.type("undercroft get \(home.url.path) li\t\r")

    try shell.expect("\"Emma\"")
    shell.type("exit\r")
    _ = shell.status()
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/owned"))
  }

  @Test func `names in confidential stores are not completed`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "library"))

      let found = try bash(directory, "get", home.url.path, "")

      #expect(found.contains("theme"))
      #expect(!found.contains("pin"))
      #expect(try bash(directory, "get", "--kind", "secret", home.url.path, "").isEmpty)
    }
  }

  @Test func `completion is silent if the stores cannot be read`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "damaged")
      try (Data("UNDFILE1".utf8) + Data(count: 100)).write(to: file)

      #expect(try bash(directory, "get", file.path, "").isEmpty)
      #expect(try bash(directory, "get", directory.path + "/nowhere", "").isEmpty)
      #expect(try bash(directory, "rows", "--kind", "").isEmpty)
    }
  }

  /// Returns the completions of the last word in bash, after checking that no errors are written.
  private func bash(_ directory: URL, _ words: String...) throws -> [String] {
    try bash(directory, words)
  }

  /// Returns the completions of the last word in bash, after checking that no errors are written.
  private func bash(_ directory: URL, _ words: [String]) throws -> [String] {
    let script = """
      source <(undercroft completion bash)
      COMP_WORDS=(undercroft "$@"); COMP_CWORD=$#
      COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _undercroft undercroft "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      if [ ${#COMPREPLY[@]} != 0 ]; then printf '%s\\n' "${COMPREPLY[@]}"; fi
      """
    let result = try Program(at: "/usr/bin/env").run(
      ["bash", "-c", "cd \"$HOME\"\n" + script, "bash"] + words,
      environment: try environment(directory))
    #expect(result.errors.isEmpty)
    return result.lines
  }

  /// The environment in which the built inspector is in the search path.
  private func environment(_ directory: URL) throws -> [String: String] {
    let folder = try Program.inspector.url.deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": folder + ":" + path, "HOME": directory.path, "LC_ALL": "C.UTF-8"]
  }
}
