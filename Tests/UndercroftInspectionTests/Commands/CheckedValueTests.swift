import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the values of stores without checksums that `check` decodes and tests.
@Suite struct CheckedValueTests {
  /// Creates a home whose kind `cache`, with the codec `json`, has one intact and one other value.
  private static func withCache(
    _ value: Data, _ body: (SampleHome, _ rows: [[String: Any]]) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let storage = try Storage(home: directory)
      try storage.save([1, 2], for: StorageKey("counts", kind: .cache, default: []))
      try storage.save(value, for: StorageKey("desk", kind: .cache, default: Data(), as: .bytes))
      try body(home, try home.rows("check", "--kind", "cache"))
    }
  }

  private static func states(_ rows: [[String: Any]]) -> [String?] {
    rows.map { $0["state"] as? String }
  }

  @Test(arguments: [
    #"{"a":1"#, #"{"a":"#, #"{"a":1}x"#, #"["Emma", "#, "[1, 2", #""Lending at no"#, "\n {\"a\"",
    #"{"a":"\x"}"#, "{\"a\":\"\u{1}\"}", #"["Emma" "Dune"]"#,
  ])
  func `a value that begins like JSON but is not valid is damage with its name`(
    value: String
  ) throws {
    try Self.withCache(Data(value.utf8)) { home, rows in
      #expect(Self.states(rows) == ["damaged"])
      #expect(
        rows.first?["reason"] as? String
          == "the value \"desk\" begins like a value of the codec \"json\", but cannot be decoded")
      let status = try home.run("check").status
      #expect(status == 65)
    }
  }

  @Test func `JSON with a string that is not UTF-8 is damage`() throws {
    let value = Data(#"{"a":""#.utf8) + Data([0xff, 0xfe]) + Data(#""}"#.utf8)
    try Self.withCache(value) { _, rows in
      #expect(Self.states(rows) == ["damaged"])
    }
  }

  @Test(arguments: [
    "", "Dune", "12x", "[draft] Emma", "[2026-11-27] lent", "[1] a note", #""Emma" is lent"#,
    "\u{0}\u{0}\u{0}",
  ])
  func `a value that may have another codec is not decoded, which is not damage`(
    value: String
  ) throws {
    try Self.withCache(Data(value.utf8)) { home, rows in
      #expect(Self.states(rows) == ["not decoded"])
      #expect(
        rows.first?["reason"] as? String
          == "1 value cannot be decoded as json: \"desk\"; a key can have another codec")
      let status = try home.run("check").status
      #expect(status == 1)
    }
  }

  @Test(arguments: ["{}", "[]", "12", "null", #""Emma""#, " [1.5e3]\n", #"{"a":"\u00e9"}"#])
  func `valid JSON is decoded`(value: String) throws {
    try Self.withCache(Data(value.utf8)) { home, rows in
      #expect(Self.states(rows) == ["ok"])
      #expect(
        rows.first?["reason"] as? String == "2 values read, 2 decoded as json; no checksums")
      let status = try home.run("check").status
      #expect(status == 0)
    }
  }

  @Test func `several values that are not decoded are named together`() throws {
    try Self.withCache(Data("Dune".utf8)) { home, _ in
      let storage = try Storage(home: home.url)
      for number in 1...6 {
        let key = StorageKey("note/\(number)", kind: .cache, default: "", as: .string)
        try storage.save("Emma", for: key)
      }

      let rows = try home.rows("check", "--kind", "cache")

      let reason = rows.first?["reason"] as? String
      #expect(rows.count == 1)
      #expect(reason?.hasPrefix("7 values cannot be decoded as json: \"desk\", \"note/1\"") == true)
      #expect(reason?.contains("\"note/4\", …; a key can have another codec") == true)
    }
  }

  // MARK: gzip data

  private static func check(
    _ values: [String: Data]
  ) throws -> (rows: [[String: Any]], status: Int) {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "blobs")
      let backend = try FileBackend(in: url)
      for (name, value) in values { try backend.apply([.set(name, value)]) }
      let answer = try run("check", url.path, "--format", "json")
      return (try rowsOfJSON(answer.output), Int(answer.status))
    }
  }

  @Test func `gzip data that ends early or has a wrong checksum is damage`() throws {
    let bytes = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let whole = try GzipProgram.compress(Data(bytes))
    var wrong = whole
    wrong[whole.count - 8] ^= 0xff

    let checked = try Self.check([
      "a.gz": whole.prefix(whole.count / 2), "b.gz": wrong, "c.gz": whole, "d.gz": whole.dropLast(),
    ])

    #expect(checked.status == 65)
    #expect(
      checked.rows.map { $0["reason"] as? String } == [
        "the value \"a.gz\" is gzip data that ends early",
        "the value \"b.gz\" is gzip data that is damaged",
        "the value \"d.gz\" is gzip data that ends early",
      ])
  }

  @Test func `intact gzip data, also with several members and padding, is tested`() throws {
    let whole = try GzipProgram.compress(Data("Emma".utf8))

    let checked = try Self.check([
      "a.gz": whole, "b.gz": whole + whole, "c.gz": whole + Data(count: 512),
      "d": Data([0x1f, 0x8b, 0x08]) + Data("Emma".utf8), "e": Data([0x1f, 0x8b, 0x08]),
    ])

    #expect(checked.status == 0)
    #expect(
      checked.rows.map { $0["reason"] as? String } == [
        "5 values read, 3 tested as gzip data; no checksums"
      ])
  }
}
