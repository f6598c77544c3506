import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the JSON output of `undercroft`, which other programs parse.
@Suite struct OutputFormatTests {
  private static let manifest = """
    {"version": 1, "routes": [
      {"kind": "archive", "backend": "singleFile", "path": "archive", "codec": "json",
        "prefix": "", "isConfidential": false},
      {"kind": "cache", "backend": "files", "path": "cache", "codec": "json", "prefix": "",
        "isConfidential": false},
      {"kind": "preference", "backend": "settings", "path": "settings", "codec": "json",
        "prefix": "", "isConfidential": false}]}
    """

  /// Creates a home with settings, a damaged archive, and a cache that does not exist yet.
  private static func withHome(_ body: (URL) throws -> Void) throws {
    try withTemporaryDirectory { home in
      try Data(manifest.utf8).write(to: home.appending(path: "undercroft.json"))
      try Data("UNDFILE1".utf8).write(to: home.appending(path: "archive"))
      let store = try JournalledBackend(at: home.appending(path: "settings"))
      try store.apply([
        .set("theme", Data(#""dark""#.utf8)), .set("cover", Data([0xff, 0])),
      ])
      try body(home)
    }
  }

  /// Runs the tool, and returns its output with the home's path replaced by `HOME`.
  private static func answer(_ arguments: [String], at home: URL) throws -> String {
    try Program.inspector.run(arguments).output.replacing(home.path, with: "HOME")
  }

  @Test func `the ls command with --format json prints the kind, path and problem of each store`()
    throws
  {
    try Self.withHome { home in
      let answer = try Self.answer(["ls", home.path, "--format", "json"], at: home)
        // The reason is read by people, and its wording may change.
        .replacing(#/"reason" : "cannot read .*"/#, with: #""reason" : "…""#)

      #expect(
        answer == #"""
          [
            {
              "backend" : "singleFile",
              "kind" : "archive",
              "path" : "HOME/archive",
              "problem" : "corrupted",
              "reason" : "…"
            },
            {
              "backend" : "files",
              "kind" : "cache",
              "path" : "HOME/cache",
              "problem" : "not created yet"
            },
            {
              "backend" : "settings",
              "bytes" : 80,
              "entries" : 2,
              "facts" : {
                "journal" : "56 bytes",
                "snapshot" : "24 bytes"
              },
              "format" : "settings snapshot 1 with journal 1",
              "kind" : "preference",
              "path" : "HOME/settings"
            }
          ]

          """#)
    }
  }

  @Test func `the raw value of each StorageError code equals the name of its case`() {
    let codes: [StorageError.Code] = [
      .notSupported, .invalidKey, .encodingFailed, .decodingFailed, .accessDenied, .locked, .full,
      .tooLarge, .corrupted, .wrongKey, .insecurePermissions, .constraintViolated, .unavailable,
      .vetoed, .interrupted, .misuse, .io, .migrationFailed, .unknownVersion,
    ]

    #expect(
      codes.map(\.rawValue) == [
        "notSupported", "invalidKey", "encodingFailed", "decodingFailed", "accessDenied", "locked",
        "full", "tooLarge", "corrupted", "wrongKey", "insecurePermissions", "constraintViolated",
        "unavailable", "vetoed", "interrupted", "misuse", "io", "migrationFailed",
        "unknownVersion",
      ])
  }

  @Test func `the keys and get commands with --format json print entries and values as JSON`()
    throws
  {
    try Self.withHome { home in
      let path = home.path
      let kind = ["--kind", "preference", "--format", "json"]
      let keys = try Self.answer(["keys", path] + kind, at: home)
      let text = try Self.answer(["get", path, "theme"] + kind, at: home)
      let bytes = try Self.answer(["get", path, "cover"] + kind, at: home)

      #expect(
        keys == #"""
          [
            {
              "bytes" : 2,
              "kind" : "preference",
              "name" : "cover"
            },
            {
              "bytes" : 6,
              "kind" : "preference",
              "name" : "theme"
            }
          ]

          """#)
      #expect(
        text == #"""
          {
            "bytes" : 6,
            "codec" : "json",
            "encoding" : "json",
            "kind" : "preference",
            "name" : "theme",
            "value" : "dark"
          }

          """#)
      #expect(
        bytes == #"""
          {
            "bytes" : 2,
            "codec" : "json",
            "encoding" : "base64",
            "kind" : "preference",
            "name" : "cover",
            "value" : "/wA="
          }

          """#)
    }
  }

  @Test func `the rows command with --format json prints tables and rows as JSON`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        try db.executeScript(
          """
          CREATE TABLE book (title TEXT, pages INTEGER, price REAL, cover BLOB, note TEXT);
          INSERT INTO book VALUES ('Emma', 474, 9.5, x'ff00', NULL), ('Dune', 1, 9e999, x'', '');
          """)
      }
      try database.close()

      let tables = try Self.answer(["rows", url.path, "--format", "json"], at: directory)
      let rows = try Self.answer(["rows", url.path, "book", "--format", "json"], at: directory)

      #expect(
        tables == #"""
          [
            {
              "columns" : [
                "title",
                "pages",
                "price",
                "cover",
                "note"
              ],
              "rows" : 2,
              "table" : "book"
            }
          ]

          """#)
      #expect(
        rows == #"""
          {
            "columns" : [
              "title",
              "pages",
              "price",
              "cover",
              "note"
            ],
            "rows" : [
              [
                "Emma",
                474,
                9.5,
                {
                  "base64" : "/wA="
                },
                null
              ],
              [
                "Dune",
                1,
                {
                  "number" : "inf"
                },
                {
                  "base64" : ""
                },
                ""
              ]
            ]
          }

          """#)
    }
  }
}
