import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// The manual pages, which are generated from the commands.
@Suite struct ManualCommandTests {
  /// The part of the exported help that the tests compare with the pages.
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let shouldDisplay: Bool
      let names: [Name]?
      let valueName: String?
      let kind: String
    }
    struct Tool: Decodable { let command: Command }

    let commandName: String
    let subcommands: [Command]?
    let arguments: [Argument]?

    /// Returns the commands with the words after the name of the tool.
    static func all() throws -> [(words: [String], command: Command)] {
      let help = try run("--experimental-dump-help").output
      let root = try JSONDecoder().decode(Tool.self, from: Data(help.utf8)).command
      var found: [(words: [String], command: Command)] = []
      var rest: [(words: [String], command: Command)] = [([], root)]
      while let (words, command) = rest.popLast() {
        found.append((words, command))
        rest += (command.subcommands ?? []).filter { $0.commandName != "help" }
          .map { (words + [$0.commandName], $0) }
      }
      return found
    }
  }

  @Test func `every command has a page with all its arguments and an exit status`() throws {
    let commands = try Command.all()
    for (words, command) in commands {
      let page = try Self.page(words)

      for section in ["NAME", "SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "FILES"] {
        #expect(page.contains("\n.Sh \(section)\n"), "\(words)")
      }
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        for name in argument.names ?? [] {
          let flag = name.name.count == 1 ? name.name : "\\-" + Self.escaped(name.name)
          let listed = page.split(separator: "\n").filter { $0.hasPrefix(".It Fl ") }
          #expect(listed.contains { "\($0) ".contains("Fl \(flag) ") }, "\(words) \(flag)")
        }
        if argument.kind == "positional", let name = argument.valueName {
          let shown = (name.count > 3 ? "" : "\\&") + Self.escaped(name)
          #expect(page.contains(".It Ar \(shown)\n"), "\(words) \(name)")
        }
      }
    }
    #expect(commands.count > 15)
  }

  @Test(arguments: [
    (["ls"], "The values are auto, always and never."),
    (["get"], "The values are auto, text, json and raw."),
    (["completion"], "The values are bash, zsh and fish."),
  ])
  func `the page of a command lists the values of an argument that accepts no others`(
    words: [String], sentence: String
  ) throws {
    let page = try Self.page(words)

    #expect(page.contains("\n\(sentence)\n"))
  }

  @Test func `the sources of all pages are valid`() throws {
    try withTemporaryDirectory { directory in
      try #require(try run("man", "--output-directory", directory.path).status == 0)
      let pages = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(try pages.count == Command.all().count)
      #expect(pages.contains("undercroft.1") && pages.contains("undercroft-query.1"))

      let files = pages.map { directory.path + "/" + $0 }
      let mandoc = try Program(at: "/usr/bin/env").run(
        ["mandoc", "-T", "lint", "-W", "warning"] + files)

      #expect(mandoc.output.isEmpty)
      #expect(mandoc.status == 0)
    }
  }

  @Test func `man creates a missing folder for the pages`() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "man1").path

      let first = try run("man", "--output-directory", folder)
      let again = try run("man", "--output-directory", folder)

      #expect([first.status, again.status] == [0, 0])
      let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(pages.contains("undercroft-ls.1"))
    }
  }

  @Test func `the examples of all pages run successfully on an application's home`() async throws {
    try await withTemporaryDirectory { directory in
      let library = try await SyncedLibrary(in: directory)
      let desk = directory.appending(path: "desk.sqlite")
      try #require(try run("cp", library.desk(0).path, desk.path).status == 0)
      let home = try SampleHome(at: directory.appending(path: "library"))
      try Self.addValues(to: home)
      try FileManager.default.copyItem(
        at: home.url, to: directory.appending(path: "library-copy"))

      let count = try Self.runExamples(in: directory, home)

      #expect(count > 40)
    }
  }

  private static func addValues(to home: SampleHome) throws {
    let storage = try Storage(home: home.url)
    try storage.save(["north": 3], for: StorageKey("shelves", kind: .document, default: [:]))
    try storage.save(["days": 14], for: StorageKey("loan", kind: .preference, default: [:]))
  }

  /// Runs the examples of all pages, and returns their number.
  private static func runExamples(in directory: URL, _ home: SampleHome) throws -> Int {
    try home.save("light", as: "theme")
    let folder = try Program.inspector.url.deletingLastPathComponent().path
    let environment = [
      "PATH": folder + ":/usr/local/bin:/usr/bin:/bin", "XDG_DATA_HOME": directory.path,
      "XDG_STATE_HOME": directory.appending(path: "state").path,
    ]
    // The command `undo` needs a change.
    let change = ["set", home.url.path, "shelf", "3", "--kind", "preference", "--write", "--yes"]
    try #require(try Program.inspector.run(change, environment: environment).status == 0)
    var count = 0
    for (words, _) in try Command.all() {
      for line in examples(in: try page(words)) {
        count += 1
        let running = try Program(at: "/usr/bin/env").start(
          ["bash", "-c", "cd \"$XDG_DATA_HOME\"; set -o pipefail\n" + line],
          environment: environment)
        // The command `watch` waits for a change.
        let hasEnded = try waitUntil {
          guard words == ["watch"], running.isRunning else { return true }
          try home.save("dark \(Date.now)", as: "theme")
          Thread.sleep(forTimeInterval: 0.05)
          return false
        }
        if !hasEnded { running.send(SIGKILL) }
        let result = try running.result()
        // The command `advise` ends with 1 if there is advice.
        let succeeds = result.status == 0 || words == ["advise"] && result.status == 1
        #expect(succeeds, "\(line): \(result.errors)")
        #expect(!result.errors.contains("Error"), "\(line): \(result.errors)")
      }
    }
    return count
  }

  @Test func `the example of advise for continuous integration does not hide the exit status`()
    throws
  {
    let examples = try Self.examples(in: Self.page(["advise"]))

    #expect(examples == ["undercroft advise library --format json"])
  }

  @Test func `every command without subcommands has an example`() throws {
    let commands = try Command.all().filter { words, command in
      let own = (command.subcommands ?? []).filter { $0.commandName != "help" }
      return own.isEmpty && !words.isEmpty
    }

    for (words, _) in commands {
      #expect(try !Self.examples(in: Self.page(words)).isEmpty, "\(words)")
    }
    #expect(commands.count > 30)
  }

  @Test func `man shows a formatted page`() throws {
    let result = try run("man", "query")

    #expect(result.status == 0)
    #expect(result.output.contains("UNDERCROFT-QUERY(1)"))
    #expect(!result.output.contains(".Sh"))
  }

  @Test(arguments: [["vault", "status"], ["sync", "conflicts"]])
  func `the header of the page of a command in a group is not cut`(words: [String]) throws {
    let result = try run(["man"] + words)

    let header = try #require(result.lines.first)
    #expect(header.hasPrefix(words.joined(separator: "-").uppercased() + "(1)"))
    #expect(!header.contains("..."))
  }

  @Test func `man reports an unknown command and a folder that cannot be written`() throws {
    let unknown = try run("man", "sing")
    let unwritable = try run("man", "--output-directory", "/nowhere/pages")

    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("cannot show the page of \"sing\""))
    #expect(unwritable.status == 74)
    #expect(!unwritable.errors.contains(".;"), "\(unwritable.errors)")
    #expect(try run("man", "ls", "--output-directory", "/tmp").status == 64)
  }

  @Test func `man names the path and the reason if a page cannot be written`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "note")
      try Data("Dune".utf8).write(to: file)

      let missing = try run("man", "--output-directory", directory.path + "/no/pages")
      let taken = try run("man", "--output-directory", file.path)

      let reason = "cannot create \"\(directory.path)/no/pages\": no such file or directory;"
      #expect(missing.status == 74 && taken.status == 74)
      #expect(missing.errors.hasPrefix("undercroft: \(reason)"), "\(missing.errors)")
      #expect(taken.errors.contains("note/undercroft.1\": not a directory;"), "\(taken.errors)")
    }
  }

  private static func page(_ words: [String]) throws -> String {
    let result = try run(["man"] + words + ["--roff"])
    #expect(result.status == 0)
    return result.output
  }

  private static func escaped(_ name: String) -> String {
    name.replacingOccurrences(of: "-", with: "\\-")
  }

  /// Returns the command lines of the examples of a page.
  private static func examples(in page: String) -> [String] {
    let escapes = [
      ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\e", "\\"),
    ]
    return page.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { line in
      escapes.reduce(String(line.dropFirst(2))) { text, escape in
        text.replacingOccurrences(of: escape.0, with: escape.1)
      }
    }
  }
}
