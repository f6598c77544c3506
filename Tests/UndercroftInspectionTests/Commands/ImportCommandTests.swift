import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

@Suite struct ImportCommandTests {
  private static let valid = #"{"name":"theme","value":"\"light\"","kind":"preference"}"#

  @Test func `import changes values of several stores, and its undo restores all of them`() throws {
    try EditedHome.with { edited in
      let lines = [
        Self.valid, "", #"{"kind":"preference","name":"window.title","removed":true}"#,
        #"{"kind":"blob","name":"cover/dune","base64":"AP8="}"#,
        #"{"kind":"blob","name":"cover/new","value":{"base64":"AP8="}}"#,
      ]

      let answer = try edited.run(
        "import", "-", "--write", "--yes", input: lines.joined(separator: "\r\n"))

      #expect(
        answer.output.hasPrefix("added 1 value, changed 2 values, removed 1 value\n"),
        "\(answer.errors)")
      #expect(try edited.preference("theme") == "light")
      #expect(try edited.preference("window.title") == nil)
      let key = StorageKey("cover/dune", kind: .blob, default: Data())
      #expect(try Storage(home: edited.home.url).load(key) == Data([0, 255]))

      let undo = try #require(try edited.undoFiles.first)
      try edited.run("import", undo.path, "--write", "--yes")

      #expect(try edited.preference("theme") == "dark")
      #expect(try edited.preference("window.title") == "Lending at noon")
      let storage = try Storage(home: edited.home.url)
      #expect(try storage.load(key) == Data(count: 20))
      #expect(try storage.names(of: .blob).sorted() == ["cover/dune", "cover/emma"])
    }
  }

  @Test func `an undo file restores the changed stores if later values do not fit on the disk`()
    throws
  {
    try EditedHome.with { edited in
      let cover = String(repeating: "x", count: 100_000)
      let large = #"{"kind":"blob","name":"cover/dune","value":"\#(cover)"}"#
      try edited.run("import", "-", "--write", "--yes", "--no-undo", input: large)
      let removal = #"{"kind":"blob","name":"cover/dune","removed":true}"#
      let arguments = ["import", edited.home.url.path, "-", "--write", "--yes"]

      let answer = try Program.inspector.run(
        arguments, input: Self.valid + "\n" + removal, environment: edited.environment,
        fileBlocks: 120)
      let changed = try edited.preference("theme")
      let undo = try #require(try edited.undoFiles.first)
      let restored = try edited.run("import", undo.path, "--write", "--yes", "--no-undo")
      let refused = try Program.inspector.run(
        arguments, input: removal, environment: edited.environment, fileBlocks: 120)

      #expect(answer.status == 74, "\(answer.errors)")
      #expect(changed == "light")
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(try edited.preference("theme") == "dark")
      #expect(refused.status == 74 && !refused.errors.contains("to undo"), "\(refused.errors)")
      #expect(try edited.undoFiles == [undo])
      let blobs = try edited.run("get", "cover/dune", "--kind", "blob", "--format", "raw")
      #expect(blobs.output == cover)
    }
  }

  @Test func `import of a folder suggests a file or standard input`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("import", edited.home.url.path, "--write", "--yes")

      #expect(answer.status == 66)
      #expect(answer.errors.contains("\"-\" for standard input"), "\(answer.errors)")
    }
  }

  @Test func `the undo of an undo restores the imported values`() throws {
    try EditedHome.with { edited in
      try edited.run("import", "-", "--write", "--yes", input: Self.valid)
      let undo = try #require(try edited.undoFiles.first)
      try edited.run("import", undo.path, "--write", "--yes")
      let redo = try #require(try edited.undoFiles.first { $0 != undo })

      try edited.run("import", redo.path, "--write", "--yes")

      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test(arguments: [
    "x", "[1]", "{}", #"{"name":"","value":"1"}"#, #"{"name":"a"}"#, #"{"name":1,"value":"1"}"#,
    #"{"name":"a","value":1}"#, #"{"name":"a","value":"1","removed":true}"#,
    #"{"name":"a","base64":"!"}"#, #"{"name":"a","value":"\ud800"}"#,
    #"{"name":"e\u0301","value":"1"}"#, #"{"name":"a\u0000","value":"1"}"#,
    #"{"name":"a","value":"1","kind":"loans"}"#, #"{"name":"theme","value":"1"}"#,
    String(repeating: "[", count: 100_000),
  ])
  func `an invalid line is named, and nothing is imported`(line: String) throws {
    try EditedHome.with { edited in
      let answer = try edited.run(
        "import", "-", "--kind", "preference", "--write", "--yes",
        input: Self.valid + "\n\n" + line + "\n")

      #expect(answer.status == 65, "\(answer.errors)")
      #expect(answer.errors.contains("line 3"), "\(answer.errors)")
      #expect(try edited.preference("theme") == "dark")
      #expect(try edited.undoFiles.isEmpty)
    }
  }

  @Test func `a line without kind needs --kind in a home of several stores`() throws {
    try EditedHome.with { edited in
      let line = #"{"name":"theme","value":"\"light\""}"#

      let refused = try edited.run("import", "-", "--write", "--yes", input: line)
      try edited.run("import", "-", "--kind", "preference", "--write", "--yes", input: line)

      #expect(refused.status == 65)
      #expect(refused.errors.contains("--kind"))
      #expect(try edited.preference("theme") == "light")
    }
  }

  @Test func `a single store receives the values of one kind, but not of several`() throws {
    try EditedHome.with { edited in
      let store = edited.home.url.appending(path: "settings").path
      let other = #"{"kind":"blob","name":"a","value":"1"}"#

      let answer = try edited.run(["import", store, "-", "--write", "--yes"], input: Self.valid)
      let refused = try edited.run(
        ["import", store, "-", "--write", "--yes"], input: Self.valid + "\n" + other)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference("theme") == "light")
      #expect(refused.status == 65)
      #expect(refused.errors.contains("line 2"))
    }
  }

  @Test func `import reports a missing file`() throws {
    try EditedHome.with { edited in
      let answer = try edited.run("import", "/no/such/file", "--write", "--yes")
      let incomplete = try edited.run("import", "/no/such/file", "--write")

      #expect([answer.status, incomplete.status] == [66, 66])
      #expect(incomplete.errors.contains("/no/such/file") && !incomplete.errors.contains("--yes"))
    }
  }

  @Test(.heavy, arguments: ["preference", "blob", "archive", "document"])
  func `a killed import leaves either all old values or all new ones`(kind: String) throws {
    try EditedHome.with { edited in
      let count = 200
      let lines = { (value: Int) in
        (0..<count).map { #"{"kind":"\#(kind)","name":"loan/\#($0)","value":"\#(value)"}"# }
          .joined(separator: "\n")
      }
      try edited.run("import", "-", "--write", "--yes", input: lines(0))
      var seen: Set<Int> = []
      for round in 1...12 {
        let program = try Program.inspector.start(
          ["import", edited.home.url.path, "-", "--write", "--yes", "--no-undo", "--wait", "5"],
          input: lines(round), environment: edited.environment)
        usleep(UInt32(round) * 8_000)
        program.send(SIGKILL)
        _ = try program.result()

        let values = try Self.loans(kind, in: edited)
        #expect(values.count == 1, "\(kind) has the values \(values) after round \(round)")
        seen.formUnion(values)
      }
      #expect(!seen.isEmpty)
    }
  }

  /// Returns the different values of the entries, read by the backend of the application.
  private static func loans(_ kind: String, in edited: EditedHome) throws -> Set<Int> {
    let url = edited.home.url
    let store: any StorageBackend =
      switch kind {
      case "preference": try JournalledBackend(at: url.appending(path: "settings"))
      case "archive": try SingleFileBackend(at: url.appending(path: "archive"))
      case "document": try BackendChoice.propertyLists(in: url.appending(path: "documents")).open()
      default: try FileBackend(in: url.appending(path: "blobs"))
      }
    let names = try store.keys(withPrefix: "loan/")
    #expect(names.count == 200)
    return Set(
      try names.map { name in
        Int(String(decoding: try store.read(name) ?? Data(), as: UTF8.self)) ?? -1
      })
  }
}
