import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the files with old values that `set`, `rm` and `import` write.
@Suite struct UndoFileTests {
  private static let options = ["--kind", "preference", "--write", "--yes"]

  private static func set(_ name: String, _ value: String, _ edited: EditedHome) throws {
    let answer = try edited.run(
      ["set", edited.home.url.path, name, value, "--encoding", "text"] + options)
    #expect(answer.status == 0, "\(answer.errors)")
  }

  @Test func `an undo is refused if a value was changed later, unless it is forced`() throws {
    try EditedHome.with { edited in
      try Self.set("theme", "light", edited)
      let undo = try #require(try edited.undoFiles.first)
      try edited.home.save("sepia", as: "theme")

      let refused = try edited.run("import", undo.path, "--write", "--yes")
      let shown = try edited.run("import", undo.path, "--dry-run")
      let theme = try edited.preference("theme")
      let forced = try edited.run("import", undo.path, "--write", "--yes", "--force")

      for answer in [refused, shown] {
        #expect(answer.status == 1)
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains("preference \"theme\""), "\(answer.errors)")
        #expect(answer.errors.contains("--force"))
      }
      #expect(theme == "sepia")
      #expect(forced.status == 0, "\(forced.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `a change that fails leaves no undo file, and its error mentions no undo`() throws {
    try EditedHome.with { edited in
      let large = edited.home.url.appending(path: "large.bin")
      try Data(repeating: 65, count: 200_000).write(to: large)

      let answer = try Program.inspector.run(
        [
          "set", edited.home.url.path, "cover/emma", "--file", large.path, "--kind", "blob",
          "--write", "--yes",
        ], environment: edited.environment, fileBlocks: 64)

      #expect(answer.status == 74)
      #expect(answer.errors.contains("file too large"), "\(answer.errors)")
      #expect(!answer.errors.contains("undo"))
      #expect(try edited.undoFiles.isEmpty)
      let cover = StorageKey("cover/emma", kind: .blob, default: Data())
      #expect(try Storage(home: edited.home.url).load(cover).count == 5_000)
    }
  }

  @Test func `if the second of two stores fails, the undo contains only the first one`() throws {
    try EditedHome.with { edited in
      let large = Data(repeating: 65, count: 200_000).base64EncodedString()
      let lines = [
        #"{"kind":"preference","name":"theme","value":"\"light\""}"#,
        #"{"kind":"blob","name":"cover/emma","base64":"\#(large)"}"#,
      ]

      let answer = try Program.inspector.run(
        ["import", edited.home.url.path, "-", "--write", "--yes"],
        input: lines.joined(separator: "\n"), environment: edited.environment, fileBlocks: 64)
      let undo = try #require(try edited.undoFiles.first)
      let saved = try String(contentsOf: undo, encoding: .utf8)

      #expect(answer.status == 74)
      #expect(answer.errors.contains("to undo a part that was changed: undercroft undo "))
      #expect(saved.contains("theme"))
      #expect(!saved.contains("cover"))
    }
  }

  @Test func `an undo of several values changes none of them if one of them was changed later`()
    throws
  {
    try EditedHome.with { edited in
      let lines = [
        #"{"kind":"preference","name":"theme","value":"\"light\""}"#,
        #"{"kind":"blob","name":"cover/dune","removed":true}"#,
      ]
      try edited.run("import", "-", "--write", "--yes", input: lines.joined(separator: "\n"))
      let undo = try #require(try edited.undoFiles.first)
      let cover = StorageKey("cover/dune", kind: .blob, default: Data())
      try Storage(home: edited.home.url).save(Data([1]), for: cover)

      let refused = try edited.run("import", undo.path, "--write", "--yes")

      #expect(refused.status == 1)
      #expect(refused.errors.contains("blob \"cover/dune\""), "\(refused.errors)")
      #expect(!refused.errors.contains("theme"))
      #expect(try edited.preference("theme") == "light")
      #expect(try edited.undoFiles == [undo])
    }
  }

  @Test func `the undo of a removal is refused if the name has a value again`() throws {
    try EditedHome.with { edited in
      try edited.run(["rm", edited.home.url.path, "theme"] + Self.options)
      let undo = try #require(try edited.undoFiles.first)
      try edited.home.save("sepia", as: "theme")

      let refused = try edited.run("import", undo.path, "--write", "--yes")

      #expect(refused.status == 1)
      #expect(try edited.preference("theme") == "sepia")
    }
  }

  @Test func `the undo of a new value is refused if the value was removed and is another one`()
    throws
  {
    try EditedHome.with { edited in
      try Self.set("desk", "north", edited)
      let undo = try #require(try edited.undoFiles.first)
      try edited.home.save("south", as: "desk")

      let refused = try edited.run("import", undo.path, "--write", "--yes")
      try edited.run(["rm", edited.home.url.path, "desk", "--no-undo"] + Self.options)
      let removed = try edited.run("import", undo.path, "--write", "--yes")

      #expect(refused.status == 1)
      #expect(removed.output == "nothing to change\n")
    }
  }

  @Test func `an old value that was restored already is no conflict`() throws {
    try EditedHome.with { edited in
      try Self.set("theme", "light", edited)
      let undo = try #require(try edited.undoFiles.first)
      try edited.home.save("dark", as: "theme")

      let answer = try edited.run("import", undo.path, "--write", "--yes")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output == "nothing to change\n")
    }
  }

  @Test func `an undo file of an earlier version restores its values without the check`() throws {
    try EditedHome.with { edited in
      try Self.set("theme", "light", edited)
      let undo = try #require(try edited.undoFiles.first)
      let text = try String(contentsOf: undo, encoding: .utf8)
      let earlier = text.replacing(#/,?"replaces" ?: ?"[^"]*"/#, with: "")
      try edited.home.save("sepia", as: "theme")

      let answer = try edited.run("import", "-", "--write", "--yes", input: earlier)

      #expect(text.contains("siphash:") && !earlier.contains("siphash:"))
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test(arguments: [
    "", "Absent", "siphash:", "siphash:00", "siphash:" + String(repeating: "+", count: 48),
  ])
  func `a line with an invalid state is named, and nothing is imported`(state: String) throws {
    try EditedHome.with { edited in
      let line =
        #"{"name":"theme","kind":"preference","value":"\"light\"","replaces":"\#(state)"}"#

      let answer = try edited.run("import", "-", "--write", "--yes", input: line)

      #expect(answer.status == 65)
      #expect(answer.errors.contains("line 1") && answer.errors.contains("replaces"))
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test(arguments: ["set", "rm"])
  func `a command reports an old secret in the undo file, and how to remove it`(
    command: String
  ) throws {
    try EditedHome.with { edited in
      try edited.home.save("open sesame", as: "api_token")
      let value = command == "set" ? ["\"barley\""] : []
      let words = [command, edited.home.url.path, "api_token"] + value + Self.options

      let answer = try edited.run(words)

      let undo = try #require(try edited.undoFiles.first)
      #expect(answer.output.contains("look like secrets as plain text"), "\(answer.output)")
      #expect(answer.output.contains("--no-undo would not have saved: \"api_token\"\n"))
      #expect(answer.output.contains("rm -- \(undo.path)\n"))
      #expect(!(answer.output + answer.errors).contains("sesame"))
    }
  }

  @Test func `a change without an old secret, or without an undo file, reports no secret`() throws {
    try EditedHome.with { edited in
      try edited.home.save("open sesame", as: "api_token")

      let theme = try edited.run(["rm", edited.home.url.path, "theme"] + Self.options)
      let token = try edited.run(
        ["rm", edited.home.url.path, "api_token", "--no-undo"] + Self.options)

      #expect(theme.status == 0 && token.status == 0)
      #expect(!theme.output.contains("secret") && !token.output.contains("secret"))
    }
  }
}
