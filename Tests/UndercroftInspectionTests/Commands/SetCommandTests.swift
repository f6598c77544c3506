import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the changes that the command `set` makes or shows, and of their undo.
@Suite struct SetCommandTests {
  @Test func `set stores a value that the application reads, and its undo restores the old value`()
    throws
  {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "set", "theme", "light \"noon\"", "--kind", "preference", "--encoding", "text", "--write",
        "--yes")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference("theme") == "light \"noon\"")
      let undo = try #require(try edited.undoFiles.first)
      #expect(answer.output.contains(undo.path))

      let undone = try edited.run("import", undo.path, "--write", "--yes")

      #expect(undone.status == 0, "\(undone.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `the command of an undo runs as it is printed, with the options of the change`() throws
  {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "set", "theme", "1", "--kind", "preference", "--write", "--yes", "--wait", "2")
      let line = try #require(answer.lines.last { $0.hasPrefix("to undo: undercroft ") })
      let arguments = line.dropFirst("to undo: undercroft ".count).split(separator: " ")

      let undone = try edited.run(arguments.map(String.init))

      #expect(arguments.suffix(4) == ["--write", "--yes", "--wait", "2.0"])
      #expect(undone.status == 0, "\(undone.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `set completes the creation of a store of files that was interrupted`() throws {
    try EditedHome.with { edited in
      let folder = edited.home.url.appending(path: try edited.home.fileName(of: "blob"))
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try Data().write(to: folder.appending(path: ".undercroft-lock"))

      let answer = try edited.run(
        "set", "cover/emma", "red", "--encoding", "text", "--kind", "blob", "--write", "--yes")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.hasPrefix("added 1 value\n"))
      #expect(try edited.run("get", "cover/emma", "--kind", "blob").output.contains("red"))
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/version")))
  func `set stores the content of a file whose reported size is 0`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "set", "theme", "--file", "/proc/version", "--encoding", "text", "--kind", "preference",
        "--write", "--yes")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference("theme")?.hasPrefix("Linux version ") == true)
    }
  }

  @Test func `without --kind, the only store that has the name is changed`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("set", "theme", "\"light\"", "--write", "--yes")

      #expect(answer.output.hasPrefix("changed 1 value\n"), "\(answer.errors)")
      #expect(answer.errors.contains("\"preference\" is selected"))
      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test func `the result names a new value as added`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("set", "rows", "12", "--kind", "preference", "--write", "--yes")

      #expect(answer.output.hasPrefix("added 1 value\n"), "\(answer.errors)")
    }
  }

  @Test func `a note says that a value is created, and which name is similar`() throws {
    try EditedHome.with { edited in
      let arguments = ["--kind", "preference", "--encoding", "text", "--write", "--yes"]

      let mistyped = try edited.run(["set", edited.home.url.path, "tehme", "light"] + arguments)
      let new = try edited.run(["set", edited.home.url.path, "lending.days", "14"] + arguments)
      let known = try edited.run(["set", edited.home.url.path, "theme", "light"] + arguments)
      let secret = try edited.run(
        [
          "set", edited.home.url.path, "pim", "1234", "--kind", "secret", "--key-file",
          edited.keyFile, "--encoding", "text", "--write", "--yes", "--no-undo",
        ])

      let note = "the value \"tehme\" does not exist yet, so it is created"
      let similar = "the most similar name is \"theme\""
      #expect(mistyped.errors == "undercroft: \(note); \(similar)\n")
      #expect(
        new.errors
          == "undercroft: the value \"lending.days\" does not exist yet, so it is created\n")
      #expect(known.errors.isEmpty)
      #expect(secret.errors.contains("is created") && !secret.errors.contains("\"pin\""))
    }
  }

  @Test func `the undo of a new value removes the value`() throws {
    try EditedHome.with { edited in
      try edited.run("set", "rows", "12", "--kind", "preference", "--write", "--yes")
      let undo = try #require(try edited.undoFiles.first)

      try edited.run("import", undo.path, "--write", "--yes")

      let names = try Storage(home: edited.home.url).names(of: .preference)
      #expect(names.sorted() == ["theme", "window.title"])
    }
  }

  @Test func `set encodes JSON as the codec of each store does`() throws {
    try EditedHome.with { edited in
      for kind in ["preference", "document", "archive", "blob"] {
        let answer = try edited.run(
          "set", "due", "{\"days\": 14}", "--kind", kind, "--write", "--yes")
        #expect(answer.status == 0, "\(kind): \(answer.errors)")
      }

      let storage = try Storage(home: edited.home.url)
      for kind in [DataKind.preference, .document, .archive] {
        let days = try storage.load(StorageKey("due", kind: kind, default: [String: Int]()))
        #expect(days == ["days": 14], "\(kind)")
      }
      let bytes = try storage.load(StorageKey("due", kind: .blob, default: Data()))
      #expect(bytes == Data("{\"days\": 14}".utf8))
    }
  }

  @Test func `set stores a text in a property list as the application does`() throws {
    try EditedHome.with { edited in
      try edited.run(
        "set", "title", "Emma", "--kind", "document", "--encoding", "text", "--write", "--yes")

      let title = try Storage(home: edited.home.url)
        .load(StorageKey("title", kind: .document, default: ""))
      #expect(title == "Emma")
    }
  }

  @Test func `set reads a value from a file, from standard input and as Base64`() throws {
    try EditedHome.with { edited in
      let file = edited.home.url.appending(path: "input")
      try Data([0, 255]).write(to: file)
      let options = ["--kind", "blob", "--write", "--yes"]
      let path = edited.home.url.path

      try edited.run(["set", path, "file", "--file", file.path] + options)
      try edited.run(["set", path, "input", "-"] + options, input: "Dune")
      try edited.run(["set", path, "base64", "AP8=", "--encoding", "base64"] + options)

      let storage = try Storage(home: edited.home.url)
      let values = try ["file", "input", "base64"].map {
        try storage.load(StorageKey($0, kind: .blob, default: Data()))
      }
      #expect(values == [Data([0, 255]), Data("Dune".utf8), Data([0, 255])])
    }
  }

  @Test func `a dry run shows the change and changes no file`() throws {
    try EditedHome.with { edited in
      let before = try fileStates(in: edited.home.url)

      let answer = try edited.run("set", "theme", "\"light\"", "--kind", "preference", "--dry-run")

      #expect(answer.output == "~ preference theme: \"dark\" → \"light\"\n")
      #expect(try fileStates(in: edited.home.url) == before)
      #expect(try edited.undoFiles.isEmpty)
    }
  }

  @Test func `a value that the store has already is not a change`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "set", "theme", "\"dark\"", "--kind", "preference", "--write", "--yes")

      #expect(answer.output == "nothing to change\n")
      #expect(try edited.undoFiles.isEmpty)
    }
  }

  @Test func `set changes a confidential value only with --no-undo, and saves it nowhere`() throws {
    try EditedHome.with { edited in
      let options = [
        "--kind", "secret", "--key-file", edited.keyFile, "--encoding", "text", "--write", "--yes",
      ]
      let command = ["set", edited.home.url.path, "pin", "-"] + options

      let refused = try edited.run(command, input: "n3w")
      let answer = try edited.run(command + ["--no-undo"], input: "n3w")

      #expect(refused.status == 77)
      #expect(refused.errors.contains("--no-undo"))
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!(refused.errors + answer.output).contains("s3cret"))
      #expect(try edited.undoFiles.isEmpty)
      let pin = try Storage(home: edited.home.url)
        .load(StorageKey("pin", kind: .secret, default: ""))
      #expect(pin == "n3w")
    }
  }

  @Test func `a dry run on a vault shows sizes instead of values`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "set", "pin", "\"n3w\"", "--kind", "secret", "--key-file", edited.keyFile, "--dry-run")

      #expect(answer.output == "~ secret pin: 16 B → 5 B\n")
    }
  }

  @Test(arguments: [
    "caf\u{e9}", "line\nbreak", "a/b", "..", "-x", "\u{202e}reversed", "a \"b\" \\c",
  ])
  func `set and its undo work with a name of any characters`(name: String) throws {
    try EditedHome.with { edited in
      try edited.home.save("old", as: name)
      // A user may paste the name as the command keys shows it.
      let shown = try edited.run("keys", "--kind", "preference", "--format", "json").output
      #expect(!shown.contains("\u{202e}"))

      let answer = try edited.run([
        "set", edited.home.url.path, "--kind", "preference", "--write", "--yes", "--encoding",
        "text", "--", name.decomposedStringWithCanonicalMapping, "new",
      ])
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference(name) == "new")
      let undo = try #require(try edited.undoFiles.first)
      try edited.run("import", undo.path, "--write", "--yes")

      #expect(try edited.preference(name) == "old")
      #expect(try Storage(home: edited.home.url).names(of: .preference).count == 3)
    }
  }

  @Test func `set finds a value by the escaped form of its name`() throws {
    try EditedHome.with { edited in
      try edited.home.save("old", as: "bell\u{7}")

      try edited.run("set", "bell\\u{7}", "1", "--kind", "preference", "--write", "--yes")

      #expect(try Storage(home: edited.home.url).names(of: .preference).count == 3)
    }
  }
}
