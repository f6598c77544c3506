import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct GetCommandTests {
  private static func save(_ bytes: Data, to home: SampleHome) throws {
    try Storage(home: home.url).save(bytes, for: StorageKey("scan", kind: .blob, default: Data()))
  }

  /// Returns the bytes that the command writes to a file.
  private static func written(
    _ home: SampleHome, _ directory: TemporaryDirectory, _ arguments: String...
  ) throws -> Data {
    let file = directory.file("scan")
    try directory.write("", to: "scan")
    let answer = try Program.inspector.run(
      ["get", home.url.path, "scan", "--kind", "blob"] + arguments, output: file)
    #expect(answer.status == 0)
    #expect(answer.errors.isEmpty, "\(answer.errors)")
    return try Data(contentsOf: URL(filePath: file))
  }

  @Test(arguments: [
    Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) }), Data([0]), Data(),
    Data("Dune\nEmma\n".utf8), Data("\u{1b}[31mred\n".utf8),
  ])
  func `bytes and lines are written to a file unchanged`(bytes: Data) throws {
    try withHome { home, directory in
      try Self.save(bytes, to: home)

      let written = try Self.written(home, directory)

      #expect(written == bytes)
    }
  }

  @Test func `a binary property list is written to a file unchanged`() throws {
    try withHome { home, directory in
      let list = try PropertyListSerialization.data(
        fromPropertyList: ["north": 3], format: .binary, options: 0)
      try Self.save(list, to: home)

      let written = try Self.written(home, directory)

      #expect(written == list)
    }
  }

  @Test(arguments: ["Dune", "{\"due\":[14,  21]}"])
  func `text without a line break at its end gets one, except with --format raw`(
    text: String
  ) throws {
    try withHome { home, directory in
      try Self.save(Data(text.utf8), to: home)

      let automatic = try Self.written(home, directory)
      let raw = try Self.written(home, directory, "--format", "raw")

      #expect(automatic == Data((text + "\n").utf8))
      #expect(raw == Data(text.utf8))
    }
  }

  @Test func `a note says that only the first bytes of a value are shown as text`() throws {
    try withHome { home, _ in
      let arguments = ["get", home.url.path, "cover/emma", "--color", "never"]

      let text = try run(arguments + ["--format", "text"])
      let terminal = try PseudoTerminal(
        Program.inspector, arguments, size: .init(columns: 200, lines: 100)
      ).result()
      let short = try run("get", home.url.path, "cover/dune", "--format", "text")

      let note = "undercroft: the first 256 of 5000 bytes are shown; "
      #expect(text.output.hasPrefix("5000 bytes, not text\n00 00"))
      #expect(text.output.hasSuffix("… 4744 more\n"))
      #expect(text.errors.hasPrefix(note) && text.errors.contains("--format raw"))
      #expect(terminal.output.contains("5000 bytes, not text\n00 00"), "\(terminal.output)")
      #expect(terminal.output.contains(note))
      #expect(short.output.hasPrefix("20 bytes, not text") && short.errors.isEmpty)
    }
  }

  @Test(arguments: [("preference", "keys"), ("secret", "keys"), ("record", "rows")])
  func `the name of a kind is answered with the command that lists its values or tables`(
    kind: String, command: String
  ) throws {
    try withHome { home, _ in
      let answer = try home.run("get", kind)

      #expect(answer.status == 66)
      #expect(answer.errors.contains("\"\(kind)\" is a kind of data"), "\(answer.errors)")
      #expect(
        answer.errors.contains("\"undercroft \(command) \(home.url.path) --kind \(kind)\""),
        "\(answer.errors)")
    }
  }

  @Test func `a value with the name of a kind is shown`() throws {
    try withHome { home, _ in
      try home.save("light", as: "blob")

      let answer = try home.run("get", "blob")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output == "\"light\"\n")
    }
  }
}
