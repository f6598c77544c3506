import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of `find` in values that are compressed.
@Suite struct CompressedValueTests {
  private static func gzip(_ bytes: Data) throws -> Data { try GzipProgram.compress(bytes) }

  /// A store with one value.
  private static func withStore(
    _ value: Data, named name: String = "loans.log", _ body: (URL) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "blobs")
      try FileBackend(in: url).apply([.set(name, value)])
      try body(url)
    }
  }

  private static let filler = Data(String(repeating: "a quiet day at the desk\n", count: 10).utf8)

  @Test func `a text in a gzip value is found after decompression`() throws {
    let value = try Self.gzip(Self.filler + Data("Emma was lent at noon".utf8) + Self.filler)
    try Self.withStore(value) { url in
      let rows = try InspectorRows.of("find", url.path, "lent at noon")

      #expect(rows.count == 1)
      #expect(rows.first?["key"] as? String == "loans.log")
      let excerpt = try #require(rows.first?["excerpt"] as? String)
      #expect(excerpt.contains("Emma was lent at noon"))
      #expect(excerpt.hasPrefix("…") && excerpt.hasSuffix("…"))
    }
  }

  @Test func `a text in a gzip blob of a row is found after decompression`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let value = try Self.gzip(Data("Emma was lent at noon".utf8))
      let digits = value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      try SQLiteShell.run(
        "CREATE TABLE day(id INTEGER PRIMARY KEY, log); INSERT INTO day VALUES (7, x'\(digits)')",
        on: url)

      let rows = try InspectorRows.of("find", url.path, "NOON", "--ignore-case")

      #expect(rows.count == 1)
      #expect(rows.first?["key"] as? String == "7")
      #expect(rows.first?["column"] as? String == "log")
    }
  }

  @Test func `a value of a store that compresses its values is found`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "archive")
      try SingleFileBackend(at: url).apply([
        .set("loans", Self.filler + Data("Emma was lent at noon".utf8))
      ])
      try #require(try Data(contentsOf: url).range(of: Data("at noon".utf8)) == nil)

      let rows = try InspectorRows.of("find", url.path, "at noon")

      #expect(rows.count == 1)
    }
  }

  @Test(arguments: [65_530, (1 << 20) - 3, 3 << 20])
  func `a text at the border of two parts and far from the start is found`(offset: Int) throws {
    let before = Data((0..<offset).map { UInt8(ascii: "a") + UInt8($0 % 13) })
    let value = try Self.gzip(before + Data("EMMA at noon".utf8) + Data(count: 200_000))
    try Self.withStore(value) { url in
      let rows = try InspectorRows.of("find", url.path, "EMMA at noon")

      let excerpt = try #require(rows.first?["excerpt"] as? String)
      #expect(excerpt.contains("EMMA at noon") && excerpt.hasPrefix("…"))
    }
  }

  @Test func `all members of a gzip value are searched`() throws {
    let value = try Self.gzip(Self.filler) + Self.gzip(Data("Emma was lent at noon".utf8))
    try Self.withStore(value) { url in
      let rows = try InspectorRows.of("find", url.path, "at noon")

      #expect(rows.count == 1)
    }
  }

  @Test func `the intact beginning of a truncated gzip value is searched, which a note says`()
    throws
  {
    let start = Data("Emma was lent at noon\n".utf8)
    let noise = Data((0..<50_000).map { _ in UInt8.random(in: 0...255) })
    let value = try Self.gzip(start + noise + Data("Dune".utf8)).dropLast(20_000)
    try Self.withStore(value) { url in
      let found = try run("find", url.path, "at noon")
      let missing = try run("find", url.path, "Dune was lent")

      #expect([found.status, missing.status] == [0, 1])
      #expect(found.errors.isEmpty)
      #expect(missing.errors.contains("the gzip data of the value \"loans.log\" ends early"))
    }
  }

  @Test func `bytes that only begin like gzip data are searched as they are`() throws {
    try Self.withStore(Data([0x1f, 0x8b, 0x08]) + Data("Emma at noon".utf8)) { url in
      let found = try run("find", url.path, "at noon")
      let missing = try run("find", url.path, "Dune")

      #expect([found.status, missing.status] == [0, 1])
      #expect(missing.errors.isEmpty)
    }
  }

  @Test func `a value that decompresses to a gigabyte needs little memory, and is reported`() throws
  {
    let member = try Self.gzip(Data(count: 64 << 20))
    let value = (0..<16).reduce(into: Data()) { value, _ in value += member }
    try Self.withStore(value) { url in
      // The limit of the address space, in kilobytes, is far below the size of the value.
      let result = try Program(at: "/bin/sh").run([
        "-c", #"ulimit -v 600000 && exec "$0" "$@""#, Program.inspector.path, "find", url.path,
        "noon",
      ])

      #expect(value.count < 2 << 20)
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.errors.contains("only the first 67.1 MB"))
      #expect(result.errors.contains("\"loans.log\""))
    }
  }

  @Test func `the limit of decompressed bytes is an option, and 0 decompresses nothing`() throws {
    let value = try Self.gzip(Self.filler + Data("Emma was lent at noon".utf8))
    try Self.withStore(value) { url in
      let found = try run(
        "find", url.path, "at noon", "--decompressed-limit", "\(Self.filler.count + 21)")
      let cut = try run("find", url.path, "at noon", "--decompressed-limit", "100")
      let none = try run("find", url.path, "at noon", "--decompressed-limit", "0")
      let wrong = try run("find", url.path, "at noon", "--decompressed-limit", "-1")

      #expect([found.status, cut.status, none.status, wrong.status] == [0, 1, 1, 64])
      #expect(found.errors.isEmpty && none.errors.isEmpty)
      #expect(cut.errors.contains("--decompressed-limit"))
    }
  }

  @Test func `secrets in gzip values are redacted by their names and by their forms`() throws {
    let key = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIBrqRkrXaSmSVkfOkwzTqkl1rPCoHwPE4XfF1kpRoyzQ
      -----END PRIVATE KEY-----

      """
    for (name, text) in [("api_token", "open sesame at noon"), ("notes", key + "sesame")] {
      try Self.withStore(try Self.gzip(Data(text.utf8)), named: name) { url in
        let rows = try InspectorRows.of("find", url.path, "sesame")

        let excerpt = try #require(rows.first?["excerpt"] as? String)
        #expect(excerpt.hasPrefix("‹redacted"), "\(name)")
        #expect(excerpt.hasSuffix("› sesame") == (name == "notes"), "\(excerpt)")
      }
    }
  }

  /// The digest of a commit, which looks random.
  private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  @Test func `an excerpt of a gzip text is shown if a secret is elsewhere in the text`() throws {
    let start = Data("token: dune\ncommit \(Self.digest)\n".utf8)
    let loan = Data("Emma was lent at noon\n".utf8)
    let value = try Self.gzip(start + Self.filler + loan + Self.filler + start)
    try Self.withStore(value) { url in
      let answer = try run("find", url.path, "lent at noon", "--format", "json")
      let rows = try rowsOfJSON(answer.output)

      #expect((rows.first?["excerpt"] as? String)?.contains("Emma was lent at noon") == true)
      #expect(answer.errors.isEmpty)
    }
  }

  @Test(arguments: [1, 200])
  func `an excerpt from the middle of a private key is a placeholder of the key`(
    lines: Int
  ) throws {
    let line = "MC4CAQAwBQYDK2VwBCIEIBrqRkrXaSmSVkfOkwzTqkl1rPCoHwPE4XfF1kpRoyzQ\n"
    let body = String(repeating: line, count: lines)
    let key = "-----BEGIN PRIVATE KEY-----\n\(body)EMMA\n\(body)-----END PRIVATE KEY-----\n"
    // The name of a checksum, under which text that looks random is shown.
    try Self.withStore(
      try Self.gzip(Self.filler + Data(key.utf8) + Self.filler), named: "sha256"
    ) { url in
      let rows = try InspectorRows.of("find", url.path, "EMMA")

      let excerpt = try #require(rows.first?["excerpt"] as? String)
      let size = key.utf8.count - 1
      #expect(excerpt.hasPrefix("…‹redacted \(size) B #") && excerpt.hasSuffix("›…"), "\(excerpt)")
    }
  }
}
