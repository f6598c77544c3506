import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of commands with several paths.
@Suite struct SeveralTargetsTests {
  /// Two homes of a library, the second of which has another setting.
  private static func withHomes(
    _ body: (_ first: String, _ second: String, _ directory: URL) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let homes = try ["main", "branch"].map { name in
        let home = try SampleHome(at: directory.appending(path: name))
        // The command `advise` reports the setting.
        try home.save("open sesame", as: "api_token")
        return home
      }
      try homes[1].save("Closed at noon", as: "door")
      try body(homes[0].url.path, homes[1].url.path, directory)
    }
  }

  private static func rows(_ arguments: [String]) throws -> [[String: Any]] {
    let result = try run(arguments + ["--format", "json"])
    return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
      ?? []
  }

  private static let commands = [
    "ls", "info", "keys", "stat", "top", "du", "check", "advise", "migrations", "log", "doctor",
  ]

  @Test(arguments: commands)
  func `each row of a result about several paths has the path as it was passed`(command: String)
    throws
  {
    try Self.withHomes { first, second, _ in
      let rows = try Self.rows([command, first, second])

      let targets = Set(rows.compactMap { $0["target"] as? String })
      #expect(targets == [first, second])
      #expect(rows.allSatisfy { $0["target"] != nil } || command == "doctor")
    }
  }

  @Test(arguments: commands)
  func `a result about one path has no column for the path`(command: String) throws {
    try Self.withHomes { first, _, _ in
      let rows = try Self.rows([command, first])

      #expect(!rows.isEmpty)
      #expect(rows.allSatisfy { $0["target"] == nil })
    }
  }

  @Test(arguments: commands + ["schema", "er"])
  func `a path that does not exist is reported, and the other paths are shown`(command: String)
    throws
  {
    try Self.withHomes { first, second, directory in
      let missing = directory.appending(path: "cellar").path

      // Mermaid needs escapes in the paths.
      let options = command == "er" ? ["--dot"] : []

      let answer = try run([command, first, missing, second] + options)

      #expect(answer.status == 66)
      #expect(answer.errors.contains("undercroft: \(missing): cannot"), "\(answer.errors)")
      #expect(answer.output.contains(first) && answer.output.contains(second))
    }
  }

  @Test func `the exit status is that of the worst problem`() throws {
    try Self.withHomes { first, _, directory in
      let missing = directory.appending(path: "cellar").path
      let damaged = directory.appending(path: "damaged.sqlite")
      try Data("SQLite format 3\0".utf8 + Data(repeating: 0xff, count: 4_080)).write(to: damaged)

      let answer = try run("stat", missing, damaged.path, first)
      let check = try run("check", missing, damaged.path, first, "--key-file", "/nowhere")

      #expect([answer.status, check.status] == [65, 65])
      #expect(answer.errors.contains(missing) && answer.errors.contains(damaged.path))
      #expect(check.errors.contains(missing))
      #expect(answer.output.contains(first))
    }
  }

  @Test func `errors as JSON name the path as it was passed`() throws {
    try Self.withHomes { first, _, directory in
      let missing = directory.appending(path: "cellar").path

      let answer = try run("ls", first, missing, "--format", "ndjson")

      let error = try #require(
        try JSONSerialization.jsonObject(with: Data(answer.errors.utf8)) as? [String: Any])
      let members = try #require(error["error"] as? [String: Any])
      #expect(members["target"] as? String == missing)
      #expect(members["path"] as? String == missing)
      #expect(members["code"] as? String == "unavailable")
    }
  }

  @Test func `if no path can be read, all are reported, and nothing is shown`() throws {
    let answer = try run("ls", "/nowhere/a", "/nowhere/b")

    #expect(answer.status == 66)
    #expect(answer.output.isEmpty)
    #expect(answer.errors.contains("/nowhere/a") && answer.errors.contains("/nowhere/b"))
  }

  @Test func `an application's name and the file of a store can be passed together`() throws {
    try Self.withHomes { _, second, directory in
      let file = second + "/records.sqlite"

      let result = try Program.inspector.run(
        ["ls", "main", file, "--format", "ndjson"], environment: ["XDG_DATA_HOME": directory.path])

      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains(#""target":"main""#))
      #expect(result.lines.last?.contains(#""target":"\#(file)""#) ?? false)
    }
  }

  @Test func `a passphrase is read once for several vaults`() throws {
    try withTemporaryDirectory { directory in
      let urls = ["main", "branch"].map { directory.appending(path: $0) }
      for url in urls {
        try VaultBackend(at: url, unlockedBy: .passphrase("open sesame", logRounds: 4))
          .apply([.set("pin of \(url.lastPathComponent)", Data("1815".utf8))])
      }

      let answer = try run(
        ["keys"] + urls.map(\.path) + ["--ask-passphrase"], input: "open sesame\n")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("pin of main") && answer.output.contains("pin of branch"))
    }
  }

  @Test func `a path without named values or migrations does not hide the other ones`() throws {
    try Self.withHomes { first, second, _ in
      let keys = try run("keys", first + "/records.sqlite", second)
      let migrations = try run("migrations", first + "/records.sqlite", second + "/blobs")

      #expect([keys.status, migrations.status] == [66, 66])
      #expect(keys.errors.contains("cannot list names at \"\(first)/records.sqlite\""))
      #expect(keys.output.contains("door"))
      #expect(migrations.errors.contains("cannot list the migrations of \"\(second)/blobs\""))
      #expect(migrations.output.contains("no history"))
    }
  }

  @Test func `info shows stores and files that are not stores together`() throws {
    try Self.withHomes { first, _, directory in
      let notes = directory.appending(path: "notes.json")
      try Data(#"{"title": "Emma"}"#.utf8).write(to: notes)

      let answer = try run("info", notes.path, first + "/records.sqlite")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("target  ") && answer.output.contains("JSON"))
      #expect(answer.output.contains("sqlite database"))
    }
  }

  // MARK: Databases

  @Test func `the schemas of several paths follow a comment with their paths`() throws {
    try Self.withHomes { first, second, _ in
      let answer = try run("schema", first, second, "--kind", "record")
      let difference = try run("schema", first, second, "--diff", first)

      #expect(answer.status == 0, "\(answer.errors)")
      let comments = answer.lines.filter { $0.hasPrefix("-- /") }
      #expect(
        comments == [first, second].map { "-- \($0): record: \($0)/records.sqlite" })
      #expect(difference.status == 64)
    }
  }

  @Test func `a diagram of several paths has the paths before the names of tables`() throws {
    try Self.withHomes { first, second, _ in
      let answer = try run("er", first, second, "--kind", "record", "--dot")

      #expect(answer.status == 0, "\(answer.errors)")
      for home in [first, second] { #expect(answer.output.contains("\(home)/record.book")) }
    }
  }

  // MARK: Commands with other arguments

  @Test func `find searches further paths with --also`() throws {
    try Self.withHomes { first, second, directory in
      let rows = try Self.rows(["find", first, "at noon", "--also", second])
      let missing = directory.appending(path: "cellar").path
      let partial = try run("find", first, "at noon", "--also", missing)

      #expect(rows.count == 5)
      #expect(
        rows.filter { $0["key"] as? String == "door" }.map { $0["target"] as? String } == [second])
      #expect(partial.status == 66)
      #expect(partial.output.contains("Emma at noon"))
      #expect(partial.errors.contains(missing))
    }
  }

  @Test func `query joins the stores of several homes with --attach`() throws {
    try Self.withHomes { first, second, _ in
      let values = try run(
        "query", first, "--attach", "branch=\(second)", "--format", "csv", "--no-header",
        "SELECT name FROM branch_preference EXCEPT SELECT name FROM preference")
      let rows = try run(
        "query", first, "--attach", "branch=\(second)/records.sqlite", "--format", "csv",
        "--no-header", "SELECT count(*) FROM branch.book JOIN record.book USING (id)")

      #expect(values.output == "door\r\n", "\(values.errors)")
      #expect(rows.output == "3\r\n", "\(rows.errors)")
    }
  }

  @Test(arguments: ["branch", "=/home", "branch=", "2=/home", "a b=/home"])
  func `an attached path needs a name that SQL needs no quotes for`(argument: String) throws {
    let answer = try run("query", "/", "SELECT 1", "--attach", argument)

    #expect(answer.status == 64)
  }

  @Test func `an attached path that does not exist ends the query`() throws {
    try Self.withHomes { first, _, _ in
      let answer = try run("query", first, "SELECT 1", "--attach", "branch=/nowhere/branch")

      #expect(answer.status == 66)
      #expect(answer.output.isEmpty)
      #expect(answer.errors.contains("/nowhere/branch"))
    }
  }
}
