import Foundation
import TestSupport
import Testing

/// Tests that compare the complete output of every reading command at three widths with files.
///
/// If the environment variable `UNDERCROFT_GOLDEN` is `write`, as in `make golden`, the tests write
/// the files instead.
@Suite struct GoldenTests {
  /// The arguments of a command, in which `HOME` and `OTHER` are two homes of a lending library.
  struct Sample: CustomTestStringConvertible, Sendable {
    /// The name of the file.
    let name: String
    let arguments: [String]

    init(_ name: String, _ arguments: String...) {
      self.name = name
      self.arguments = arguments
    }

    var testDescription: String { name }
  }

  private static let samples = [
    Sample("ls", "ls", "home"), Sample("info", "info", "home", "--kind", "record"),
    Sample("keys", "keys", "home"), Sample("get", "get", "home", "window.title"),
    Sample("tree", "tree", "home", "cover/dune"), Sample("find", "find", "home", "noon"),
    Sample("rows", "rows", "home"), Sample("rows-table", "rows", "home", "book"),
    Sample("query", "query", "home", "SELECT name, length(value) AS bytes FROM blob"),
    Sample(
      "query-explain", "query", "home", "SELECT * FROM book WHERE title = 'Emma'", "--explain"),
    Sample("schema", "schema", "home", "--kind", "record"),
    Sample("stat", "stat", "home"), Sample("top", "top", "home"), Sample("du", "du", "home"),
    Sample("diff", "diff", "home", "other"), Sample("advise", "advise", "home"),
    Sample("check", "check", "home", "--kind", "blob"),
    Sample("er", "er", "home", "--kind", "record"),
    Sample("color", "diff", "home", "other", "--color", "always"),
  ]

  @Test(arguments: samples)
  func `the output of a command equals its golden file`(sample: Sample) throws {
    let output = try withTemporaryDirectory { directory in
      try Self.makeHomes(in: directory)
      return try [60, 80, 120].map { width in
        try Self.output(of: sample, width: width, in: directory)
      }.joined(separator: "\n")
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(sample.name).txt")

    if ProcessInfo.processInfo.environment["UNDERCROFT_GOLDEN"] == "write" {
      try Data(output.utf8).write(to: file)
    }

    #expect(try output == String(contentsOf: file, encoding: .utf8))
  }

  /// Creates a home, and another one with differences.
  private static func makeHomes(in directory: URL) throws {
    for name in ["home", "other"] {
      let home = try SampleHome(at: directory.appending(path: name))
      try home.save("Northanger Abbey 書 \u{1b}[31m", as: "reading list/\u{301}\u{1f4da}")
      try home.save(name == "home" ? "open sesame at noon" : "changed", as: "api_token")
    }
  }

  /// Returns the command and its complete output, in which no part depends on the time, the user or
  /// the computer.
  private static func output(of sample: Sample, width: Int, in directory: URL) throws -> String {
    // The text is the same for paths of different lengths if no path is part of a table.
    let script = #"cd "$1" && shift && exec "$0" "$@" 2>&1"#
    let arguments =
      ["-c", "COLUMNS=\(width); export COLUMNS; \(script)"]
      + [try Program.inspector.path, directory.path] + sample.arguments
    let result = try Program(at: "/bin/sh").run(arguments)
    let command = sample.arguments.map { $0.contains(" ") ? "\"\($0)\"" : $0 }
      .joined(separator: " ")
    let text = result.output
      .replacing(directory.path, with: "DIRECTORY")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "YYYY-MM-DDThh:mm:ssZ")
      .replacing(#/owner: (?:\S+ \(\d+\)|\d+)/#, with: "owner: USER")
      .replacing(#/#[0-9a-f]+([›…])/#) { "#FINGERPRINT\($0.output.1)" }
    return "$ undercroft \(command)    (\(width) columns, status \(result.status))\n\(text)"
  }
}
