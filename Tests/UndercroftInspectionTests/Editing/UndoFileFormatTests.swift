import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/UndoFile.md`.
@Suite struct UndoFileFormatTests {
  @Test func `an undo file consists of the lines on the page of the format`() throws {
    try EditedHome.with { edited in
      let path = edited.home.url.path
      let options = ["--kind", "blob", "--write", "--yes"]
      try edited.run(["set", path, "cover/wool", "red"] + options)
      try edited.run(["set", path, "cover/wool", "/wA=", "--encoding", "base64"] + options)
      try edited.run(["rm", path, "cover/wool"] + options)

      let files = try edited.undoFiles.map { try String(contentsOf: $0, encoding: .utf8) }

      let texts = files.map { text in
        text.replacing(path, with: "HOME")
          .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
          .replacing(#/siphash:[0-9a-f]{48}/#, with: "STATE")
      }
      let header = { (command: String) in
        #"{"undo":{"command":"\#(command)","path":"HOME","time":"TIME"}}"# + "\n"
      }
      #expect(
        Set(texts) == [
          header("set")
            + #"{"kind":"blob","name":"cover/wool","removed":true,"replaces":"STATE"}"# + "\n",
          header("set")
            + #"{"kind":"blob","name":"cover/wool","replaces":"STATE","value":"red"}"# + "\n",
          header("rm")
            + #"{"base64":"/wA=","kind":"blob","name":"cover/wool","replaces":"absent"}"# + "\n",
        ])
    }
  }

  @Test func `the undo file of an undo has the id of the restored file in its first line`() throws {
    try EditedHome.with { edited in
      let path = edited.home.url.path
      try edited.run(["rm", path, "cover/dune", "--kind", "blob", "--write", "--yes"])
      let file = try #require(try edited.undoFiles.first).path
      let id = try #require(file.firstMatch(of: #/-([0-9a-f]+)\.ndjson$/#)).output.1

      try edited.run(["undo", file, "--write", "--yes"])

      let undo = try #require(try edited.undoFiles.first { $0.path != file })
      let header = try String(contentsOf: undo, encoding: .utf8)
      let start = #"{"undo":{"command":"undo","path":"\#(path)","restored":"\#(id)","time":""#
      #expect(header.hasPrefix(start), "\(header)")
    }
  }

  @Test func `the literal lines of the page are restored`() throws {
    try EditedHome.with { edited in
      let lines = """
        {"undo":{"command":"set","path":"\(edited.home.url.path)","time":"2026-11-29T06:30:00Z"}}
        {"kind":"preference","name":"theme","value":"\\"sepia\\""}
        {"kind":"preference","name":"window.title","removed":true}
        {"base64":"/wA=","kind":"blob","name":"cover/wool","replaces":"absent"}

        """
      let file = edited.home.url.appending(path: "old.ndjson")
      try Data(lines.utf8).write(to: file)

      let answer = try edited.run(["undo", file.path, "--write", "--yes"])

      #expect(answer.output.hasPrefix("added 1 value, changed 1 value, removed 1 value\n"))
      #expect(try edited.preference("theme") == "sepia")
      #expect(try edited.preference("window.title") == nil)
      let cover = StorageKey("cover/wool", kind: .blob, default: Data())
      #expect(try Storage(home: edited.home.url).load(cover) == Data([0xff, 0]))
    }
  }

  @Test func `import ignores the headers of undo files, also of joined ones`() throws {
    try EditedHome.with { edited in
      let header = #"{"undo":{"command":"rm","path":"/elsewhere","time":"2026-11-29T06:30:00Z"}}"#
      let lines = [
        header, #"{"kind":"preference","name":"theme","value":"\"sepia\""}"#, header,
        #"{"kind":"preference","name":"shelf","value":"3"}"#,
      ]

      let answer = try edited.run(
        "import", "-", "--write", "--yes", input: lines.joined(separator: "\n"))
      let invalid = try edited.run(
        "import", "-", "--write", "--yes", input: #"{"undo":{"command":"rm"}}"#)

      #expect(answer.output.hasPrefix("added 1 value, changed 1 value\n"), "\(answer.errors)")
      #expect(try edited.preference("theme") == "sepia")
      #expect(invalid.status == 65)
      #expect(invalid.errors.contains("line 1"))
    }
  }
}
