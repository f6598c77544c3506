import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the messages for arguments that are wrong.
@Suite struct UsageErrorTests {
  @Test(arguments: [("lss", "ls"), ("kyes", "keys"), ("shema", "schema"), ("Query", "query")])
  func `a mistyped command is answered with the nearest name`(typed: String, meant: String) throws {
    let answer = try run(typed, "/")

    #expect(answer.status == 64)
    #expect(answer.errors.hasSuffix("did you mean \"\(meant)\"?\n"))
  }

  @Test(arguments: [
    #""$0" ls "$1/home$(printf '\377')""#, #""$0" cp "$1/home" "$1/copy$(printf '\377')""#,
    #""$0" set "$1/home" theme "$(printf 'dark\377')" --kind preference --write --yes --no-undo"#,
  ])
  func `an argument that is not valid UTF-8 is refused`(script: String) throws {
    try withHome { home, directory in
      let before = try fileStates(in: home.url)

      let answer = try Program.inspector.runInShell(script, directory.path)

      #expect(answer.status == 64, "\(answer.errors)")
      #expect(answer.errors.contains("\u{fffd}\": it is not valid UTF-8"), "\(answer.errors)")
      #expect(try fileStates(in: home.url) == before)
      #expect(try directory.names == ["home"])
    }
  }

  @Test func `a path without a command is answered with the command that lists stores`() throws {
    let answer = try run("/")

    #expect(answer.status == 64)
    #expect(answer.errors.contains("undercroft ls /"))
  }

  @Test func `an unknown command without a similar name is answered with the help`() throws {
    let answer = try run("borrow")

    #expect(answer.status == 64)
    #expect(answer.errors.contains("undercroft --help"))
    #expect(!answer.errors.contains("did you mean"))
  }

  @Test func `the help of an unknown command is an error`() throws {
    let answer = try run("help", "borrow")

    #expect(answer.status == 64)
    #expect(answer.output.isEmpty)
    #expect(answer.errors.contains("there is no such command"))
  }

  @Test func `a path after a group of commands is answered with the commands of the group`() throws
  {
    let path = try run("sync", "/")
    let word = try run("vault", "shelves")

    #expect([path.status, word.status] == [64, 64])
    #expect(path.errors.contains("cannot run \"sync /\": there is no such command"))
    #expect(path.errors.contains("status, queue, conflicts, explain, digest"))
    #expect(path.errors.contains("undercroft sync status /"))
    #expect(word.errors.contains("choose one of these commands: status, slots, rekey, verify\n"))
  }

  @Test func `a mistyped command of a group is answered with the nearest name`() throws {
    let answer = try run("sync", "statsus", "/")

    #expect(answer.status == 64)
    #expect(answer.errors.hasSuffix("did you mean \"sync status\"?\n"))
  }

  @Test(arguments: [
    (["rows", "/", "note", "--where", "x=1"], "--where"), (["ls", "/", "--foo"], "--foo"),
    (["sync", "status", "/", "--foo=1", "/b"], "--foo"), (["get", "--foo"], "--foo"),
  ])
  func `an unknown option is reported without an option that is not similar`(
    arguments: [String], option: String
  ) throws {
    let answer = try run(arguments)

    #expect(answer.status == 64)
    #expect(answer.errors.hasPrefix("Error: Unknown option '\(option)'\nUsage: undercroft "))
    #expect(!answer.errors.contains("Did you mean"))
  }

  @Test func `an unknown option is answered with a similar option`() throws {
    let answer = try run("rows", "/", "--limt", "5")

    #expect(answer.status == 64)
    #expect(answer.errors.hasPrefix("Error: Unknown option '--limt'. Did you mean '--limit'?\n"))
    #expect(answer.errors.contains("See 'undercroft rows --help' for more information."))
  }

  @Test func `a word that looks like an option is not one after an option with a value`() throws {
    let value = try run("find", "/nowhere", "--", "--where")

    #expect(value.status == 66)
    #expect(!value.errors.contains("Unknown option"))
  }

  @Test func `a folder without a store is answered with the reason and with what is a store`()
    throws
  {
    try withTemporaryDirectory { directory in
      let empty = try run("ls", directory.path)
      try Data("Dune".utf8).write(to: directory.appending(path: "note.txt"))
      let other = try run("ls", directory.path)

      #expect(empty.status == 66)
      #expect(empty.errors.contains("the folder is empty, and so contains no store"))
      #expect(other.status == 66)
      #expect(other.errors.contains("the folder has no manifest and is not a store"))
      for answer in [empty, other] {
        #expect(answer.errors.contains("undercroft.json") && answer.errors.contains("sqlite"))
      }
    }
  }

  @Test func `a folder without a manifest is answered with up to five stores in it`() throws {
    try withTemporaryDirectory { directory in
      try Data("Dune".utf8).write(to: directory.appending(path: "note.txt"))
      try Data().write(to: directory.appending(path: "empty.sqlite"))
      let header = Data("SQLite format 3\0".utf8) + Data(count: 4_080)
      for name in ["loans", "books"] {
        try header.write(to: directory.appending(path: name + ".sqlite"))
      }
      let few = try run("ls", directory.path)
      for number in 1...4 {
        try header.write(to: directory.appending(path: "reader-\(number).sqlite"))
      }
      let many = try run("ls", directory.path)

      #expect(few.status == 66)
      #expect(few.errors.contains("the folder has no manifest"))
      #expect(
        few.errors.contains("a store in the folder: \"books.sqlite\", \"loans.sqlite\"\n"),
        "\(few.errors)")
      #expect(many.errors.contains("such as \"books.sqlite\", \"loans.sqlite\", "))
      #expect(many.errors.contains("reader-3") && !many.errors.contains("reader-4"))
    }
  }

  @Test func `a folder without a manifest is answered with the stores in it that are folders`()
    throws
  {
    try withTemporaryDirectory { directory in
      let covers = directory.appending(path: "covers")
      try FileBackend(in: covers).apply([.set("emma", Data("Dune".utf8))])
      try SingleFileBackend(at: directory.appending(path: "loans"))
        .apply([.set("emma", Data("Ada".utf8))])
      try FileManager.default.createDirectory(
        at: directory.appending(path: "attic"), withIntermediateDirectories: true)

      let answer = try run("ls", directory.path)

      #expect(answer.status == 66)
      #expect(
        answer.errors.contains("a store in the folder: \"covers\", \"loans\"\n"),
        "\(answer.errors)")
    }
  }

  @Test func `--version prints the newest version of the changelog`() throws {
    let changelog = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Docs/Changelog.md")
    let text = try String(contentsOf: changelog, encoding: .utf8)
    let version = try #require(text.firstMatch(of: /## \[(\d[^\]]*)\]/)).1

    let answer = try run("--version")

    #expect(answer.status == 0)
    #expect(answer.output == "undercroft \(version)\n")
  }

  @Test(arguments: [
    (["find", "/", "x", "--limit", "-1"], "--limit is -1"),
    (["keys", "/", "--width", "-5"], "--width is -5"),
    (["rows", "/", "book", "--offset", "-2"], "--offset is -2"),
    (["top", "/", "-n", "-3"], "-n is -3"), (["du", "/", "--depth", "-4"], "--depth is -4"),
    (["tree", "/", "--depth", "-4"], "--depth is -4"),
    (["query", "/", "x", "--time-limit", "-1"], "--time-limit is -1"),
    (["watch", "/", "--interval", "-1"], "--interval is -1"),
    (["watch", "/", "--count", "-1"], "--count is -1"),
  ])
  func `a negative number is rejected with a message that names it`(
    arguments: [String], message: String
  ) throws {
    let answer = try run(arguments)

    #expect(answer.status == 64)
    #expect(answer.errors.contains(message))
  }

  @Test(arguments: [
    ["watch", "/a", "/b"], ["export", "/a", "/b"], ["rows", "/a", "book", "/b"],
    ["sync", "status", "/a", "/b"], ["sync", "queue", "/a", "/b"], ["sync", "digest", "/a", "/b"],
    ["sync", "conflicts", "/a", "c1", "/b"], ["sync", "explain", "/a", "book", "b1", "/b"],
    ["vault", "status", "/a", "/b"],
  ])
  func `a second path is rejected by a command that accepts one`(arguments: [String]) throws {
    let answer = try run(arguments)

    #expect(answer.status == 64)
    #expect(answer.errors.contains("Unexpected argument \"/b\": the command accepts one path"))
  }

  @Test func `a second path of rows is not called a missing table only`() throws {
    try withSampleDatabase("CREATE TABLE book(id);") { url in
      let answer = try run("rows", url.path, url.deletingLastPathComponent().path)

      #expect(answer.status == 66)
      #expect(answer.errors.contains("the command accepts one path"))
    }
  }

  @Test func `options that exclude each other are rejected`() throws {
    let answer = try run("keys", "/", "--wide", "--width", "70")

    #expect(answer.status == 64)
    #expect(answer.errors.contains("--width cannot be combined with --wide"))
  }

  @Test(arguments: [
    ["ls", "/"], ["keys", "/a", "/b"], ["get", "/", "pin"], ["diff", "/a", "/b"],
    ["query", "/", "SELECT 1"], ["set", "/", "pin", "1234", "--write"], ["sync", "status", "/"],
    ["convert", "/a", "/b", "--to", "vault"], ["vault", "verify", "/"],
  ])
  func `a command that opens a store with one key accepts either a key file or a passphrase`(
    arguments: [String]
  ) throws {
    let answer = try run(
      arguments + ["--key-file", "/library.key", "--ask-passphrase"], input: "open sesame\n")

    #expect(answer.status == 64)
    #expect(answer.output.isEmpty)
    #expect(
      answer.errors.contains(
        "Omit --ask-passphrase to use the key file, or --key-file to use the passphrase."))
  }

  @Test func `the help lists every exit status`() throws {
    let help = try run("--help")

    #expect(help.status == 0)
    for status in [0, 1, 64, 65, 66, 74, 75, 77, 130, 143] {
      #expect(help.output.contains("\n  \(status) "), "\(status)")
    }
  }
}
