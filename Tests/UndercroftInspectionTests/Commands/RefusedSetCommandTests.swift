import Foundation
import TestSupport
import Testing

/// Tests of the arguments, values and stores that the command `set` refuses.
@Suite struct RefusedSetCommandTests {
  @Test func `without --kind, a new name needs one of the kinds that can be edited`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("set", "rows", "12", "--write", "--yes")

      #expect(answer.status == 66)
      let kinds = try #require(answer.errors.split(separator: "--kind: ").last)
      #expect(kinds.contains("preference") && !kinds.contains("record"), "\(answer.errors)")
    }
  }

  @Test func `all missing arguments are named together`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("set", "rows", "12")

      #expect(answer.status == 64)
      for option in ["--write", "--yes", "--kind"] {
        #expect(answer.errors.contains(option), "\(answer.errors)")
      }
    }
  }

  @Test(arguments: [
    ["theme", "dark"], ["theme", "{\"a\":"], ["theme", "!", "--encoding", "base64"],
    ["theme", "1 2", "--encoding", "json"],
  ])
  func `set refuses a value that the application could not decode`(arguments: [String]) throws {
    try EditedHome.with { edited in
      let answer = try edited.run(
        ["set", edited.home.url.path] + arguments + ["--kind", "preference", "--write", "--yes"])

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--encoding"))
      #expect(try edited.preference("theme") == "dark")
      #expect(try edited.undoFiles.isEmpty)
    }
  }

  @Test(arguments: [[], ["--encoding", "json"], ["--encoding", "raw"]])
  func `the error about JSON has the line and column, and asks for the form only if it is missing`(
    form: [String]
  ) throws {
    try EditedHome.with { edited in
      let words = ["set", edited.home.url.path, "theme", "{\n  bad"] + form

      let answer = try edited.run(words + ["--kind", "preference", "--write", "--yes"])

      #expect(answer.status == 64)
      #expect(answer.errors.contains("line 2, column 3"), "\(answer.errors)")
      #expect(answer.errors.contains("pass the form of the value") == form.isEmpty)
      #expect(answer.errors.contains("correct the value") == !form.isEmpty)
    }
  }

  @Test(arguments: ["preference", "document"])
  func `the error about a plain word that is not JSON recommends --encoding text`(
    kind: String
  ) throws {
    try EditedHome.with { edited in
      let words = ["set", edited.home.url.path, "theme", "blue", "--kind", kind]

      let answer = try edited.run(words + ["--write", "--yes"])
      let corrected = try edited.run(words + ["--encoding", "text", "--write", "--yes"])

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--encoding: text for plain words"), "\(answer.errors)")
      #expect(corrected.status == 0, "\(corrected.errors)")
    }
  }

  @Test(arguments: ["<integer>two</integer>", "<date>soon</date>", "<data>AP8</data>"])
  func `set refuses a property list with a value that no application could decode`(
    value: String
  ) throws {
    try EditedHome.with { edited in
      let list = "<plist><dict><key>due</key>\(value)</dict></plist>"

      let answer = try edited.run("set", "loan", list, "--kind", "document", "--write", "--yes")

      #expect(answer.status == 64, "\(answer.errors)")
      #expect(answer.errors.contains("cannot decode the value"))
      #expect(try edited.undoFiles.isEmpty)
    }
  }

  @Test func `a value in a file or in standard input that cannot be decoded is not wrong usage`()
    throws
  {
    try EditedHome.with { edited in
      let file = edited.home.url.appending(path: "theme.txt")
      try Data("light".utf8).write(to: file)
      let words = [
        "set", edited.home.url.path, "theme", "--kind", "preference", "--write", "--yes",
      ]

      let read = try edited.run(words + ["--file", file.path])
      let piped = try edited.run(words + ["-"], input: "light")

      #expect([read.status, piped.status] == [65, 65])
      #expect(read.errors.contains("the value is not JSON"), "\(read.errors)")
      #expect(try edited.preference("theme") == "dark")
    }
  }

  @Test func `set without --write, or without --yes and a terminal, changes nothing`() throws {
    try EditedHome.with { edited in
      let before = try fileStates(in: edited.home.url)

      let unwritten = try edited.run("set", "theme", "1", "--kind", "preference", "--yes")
      let unconfirmed = try edited.run("set", "theme", "1", "--kind", "preference", "--write")

      #expect(unwritten.status == 64)
      #expect(unwritten.errors.contains("--write"))
      #expect(unconfirmed.status == 64)
      #expect(unconfirmed.errors.contains("--yes"))
      #expect(try fileStates(in: edited.home.url) == before)
    }
  }

  @Test func `set does not create a missing key file`() throws {
    try EditedHome.with { edited in
      let key = edited.home.url.appending(path: "other.key")
      try FileManager.default.removeItem(at: edited.home.url.appending(path: "secrets"))

      let answer = try edited.run(
        "set", "pin", "1", "--kind", "secret", "--key-file", key.path, "--write", "--yes",
        "--no-undo")

      #expect(answer.status == 77, "\(answer.errors)")
      #expect(!FileManager.default.fileExists(atPath: key.path))
    }
  }

  @Test func `set refuses a database of tables`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("set", "book", "1", "--kind", "record", "--write", "--yes")

      #expect(answer.status == 65)
      #expect(answer.errors.contains("tables"))
      #expect(answer.errors.contains("SQL"))
    }
  }

  @Test func `set refuses a store that the application encrypts`() throws {
    try EditedHome.with { edited in
      let manifest = edited.home.url.appending(path: "undercroft.json")
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try text.replacing(
        "\"isConfidential\" : false", with: "\"isSealed\" : true, \"isConfidential\" : false"
      )
      .write(to: manifest, atomically: true, encoding: .utf8)

      let answer = try edited.run("set", "theme", "1", "--kind", "preference", "--write", "--yes")

      #expect(answer.status == 77)
      #expect(answer.errors.contains("encrypts"))
    }
  }

  @Test func `set refuses a name that is too long, and a wait that is not a number of seconds`()
    throws
  {
    try EditedHome.with { edited in
      let long = String(repeating: "x", count: 256)
      let options = ["--kind", "preference", "--write", "--yes"]
      let path = edited.home.url.path

      let named = try edited.run(["set", path, long, "1"] + options)
      let waited = try edited.run(["set", path, "x", "1"] + options + ["--wait", "nan"])

      #expect(named.status == 66)
      #expect(named.errors.contains("255"))
      #expect(waited.status == 64)
    }
  }
}
