import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the lines that `watch` writes, and of the end of their reader.
@Suite struct WatchOutputTests {
  private static let schema: SQL = "CREATE TABLE book(id TEXT PRIMARY KEY, title TEXT);"

  @Test func `watch ends with status 0 when the reader of its output has left`() throws {
    try withSampleDatabase(Self.schema) { url in
      let folder = try TemporaryDirectory()
      let script = """
        { "$0" watch "$1" --interval 0.02 2> "$2/errors"; echo $? > "$2/status"; } | head -n 1
        """
      let pipeline = try Program(at: "/bin/sh").start([
        "-c", script, Program.inspector.path, url.path, folder.path,
      ])
      let isWatching = waitUntil {
        (try? folder.read("errors"))?.contains("; Ctrl-C ends") == true
      }

      try SQLiteShell.run("INSERT INTO book VALUES ('b1', 'Emma')", on: url)
      let answer = try pipeline.result()

      #expect(isWatching)
      #expect(answer.lines.count == 1 && answer.output.contains("title=Emma"))
      #expect(try folder.read("status") == "0\n")
    }
  }

  @Test func `the key of a row is cut in text and complete in ndjson`() throws {
    try withSampleDatabase(Self.schema) { url in
      let key = "loan" + String(repeating: " of Emma", count: 50)
      let text = try RunningWatch(url.path)
      let json = try RunningWatch(url.path, "--format", "ndjson")

      try SQLiteShell.run("INSERT INTO book VALUES ('\(key)', 'Emma')", on: url)
      let isReported = text.reports("book loan of Emma") && json.reports("loan of Emma")

      #expect(isReported)
      let line = try #require(text.lines.first)
      #expect(!line.contains(key) && line.contains("… id=loan"), "\(line)")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: String])
      #expect(object["key"] == key)
    }
  }

  @Test func `the name of a value is complete in text`() throws {
    try withHome { home, _ in
      let name = "loan" + String(repeating: "/emma", count: 20)
      let watch = try RunningWatch(home.url.path, "--kind", "preference")

      try home.save("Ada", as: name)

      #expect(watch.reports("+ preference \(name) \"Ada\""), "\(watch.output)")
    }
  }

  @Test func `the content of a long text is its beginning on one line`() throws {
    try withSampleDatabase(Self.schema) { url in
      let watch = try RunningWatch(url.path)

      try SQLiteShell.run(
        """
        INSERT INTO book VALUES ('b1',
          'Emma' || char(10) || 'and Dune ' || replace(hex(zeroblob(500000)), '0', 'V'));
        """, on: url)
      let isReported = watch.reports("b1 id=b1 title=Emma and Dune VVVV")

      #expect(isReported, "\(watch.errors)")
      let line = try #require(watch.lines.first)
      #expect(line.hasSuffix("VV…"))
      #expect(line.count < 200)
    }
  }

  @Test func `a character of thousands of scalars is not shown in part`() throws {
    try withSampleDatabase(Self.schema) { url in
      let watch = try RunningWatch(url.path)

      try SQLiteShell.run(
        """
        INSERT INTO book VALUES (
          'b1', 'Emma e' || replace(hex(zeroblob(2500)), '0', char(769)))
        """, on: url)
      let isReported = watch.reports("title=Emma")

      #expect(isReported, "\(watch.errors)")
      #expect(watch.lines.first?.hasSuffix(" id=b1 title=Emma …") == true)
    }
  }

  @Test func `watch writes no note with --quiet`() throws {
    try withHome { home, _ in
      let process = try Program.inspector.start([
        "watch", home.url.path, "--quiet", "--count", "1", "--interval", "0.02",
      ])
      var number = 0
      let hasEnded = try waitUntil {
        number += 1
        try home.save("theme \(number)", as: "theme")
        return !process.isRunning
      }

      let answer = try process.result()

      #expect(hasEnded)
      #expect(answer.status == 0)
      #expect(answer.lines.count == 1)
      #expect(answer.errors.isEmpty)
    }
  }

  @Test(arguments: ["--snapshot", "--lock", "--key-file", "--ask-passphrase"])
  func `watch has no options for copies, locks and keys`(option: String) throws {
    let help = try run("watch", "--help")
    let answer = try run("watch", "/", option)

    #expect(help.status == 0 && !help.output.contains(option))
    #expect(answer.status == 64)
    #expect(answer.errors.contains("Unknown option '\(option)'"), "\(answer.errors)")
  }
}
