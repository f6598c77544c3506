import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the secrets in exports, and of the flag `--redact`.
@Suite struct RedactedExportTests {
  private static let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

  /// Calls `body` with a home that has a secret value, a value with a secret member, and a table
  /// with a secret column.
  private static func withSecrets(_ body: (SampleHome, TemporaryDirectory) throws -> Void) throws {
    try withHome { home, directory in
      try home.save(token, as: "api.token")
      try Storage(home: home.url).save(
        ["password": "open sesame", "reader": "Ada"],
        for: StorageKey("login", kind: .preference, default: [:]))
      try SQLiteShell.run(
        """
        CREATE TABLE reader(name TEXT, token TEXT);
        INSERT INTO reader VALUES ('Ada', 'open sesame'), ('Bela', NULL)
        """, on: home.url.appending(path: "records.sqlite"))
      try body(home, directory)
    }
  }

  @Test func `secrets are placeholders, and all other values and rows are complete`() throws {
    try Self.withSecrets { home, _ in
      let complete = try home.run("export")
      let answer = try home.run("export", "--redact")

      let lines = answer.output.split(separator: "\n")
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!answer.output.contains("sesame") && !answer.output.contains(Self.token))
      #expect(lines.count == complete.output.split(separator: "\n").count)
      #expect(lines.contains(#"{"kind":"preference","name":"theme","value":"\"dark\""}"#))
      #expect(lines.contains { $0.contains(#""name":"api.token","redacted":"‹redacted 42 B #"#) })
      #expect(lines.contains { $0.contains(#""redacted":"{\"password\":\"‹redacted 11 B #"#) })
      #expect(lines.contains { $0.contains(#"{"name":"Ada","token":"‹redacted 11 B #"#) })
      let digests = answer.output.matches(of: #/redacted 11 B #([0-9a-f]{8})/#).map { $0.1 }
      #expect(digests.count == 2 && Set(digests).count == 1)
    }
  }

  @Test func `a note names the first places of secrets`() throws {
    try Self.withSecrets { home, _ in
      let complete = try home.run("export")
      let redacted = try home.run("export", "--redact")
      for number in 1...4 { try home.save("open sesame", as: "password \(number)") }
      let many = try home.run("export")

      let places = #"preference "api.token", preference "login", record "reader.token""#
      #expect(
        complete.errors.contains("3 values that may be secrets were exported: \(places); read"),
        "\(complete.errors)")
      #expect(complete.errors.contains("pass --redact"))
      #expect(redacted.errors.contains("were replaced by placeholders: \(places); some secrets"))
      #expect(many.errors.contains("7 values that may be secrets were exported: "))
      #expect(many.errors.contains(#"preference "password 3" and 2 more; "#), "\(many.errors)")
    }
  }

  @Test func `import refuses a redacted value, and changes nothing`() throws {
    try Self.withSecrets { home, directory in
      let file = directory.file("shared.ndjson")
      let export = try home.run("export", "--kind", "preference", "--redact", "-o", file)
      try home.save("light", as: "theme")

      let answer = try home.run("import", file, "--write", "--yes", "--no-undo")

      let theme = try Storage(home: home.url)
        .load(StorageKey("theme", kind: .preference, default: ""))
      #expect(export.status == 0 && answer.status == 65)
      #expect(
        answer.errors.contains(#"line 1: the value "api.token" is a placeholder of "export"#),
        "\(answer.errors)")
      #expect(theme == "light")
    }
  }

  @Test(arguments: ["ndjson", "json", "csv", "plist"])
  func `the files of every format have placeholders in a column of their own`(
    format: String
  ) throws {
    try Self.withSecrets { home, directory in
      let answer = try home.run(
        "export", "--redact", "--output-directory", directory.file("out"), "--format", format)

      let values = try directory.read("out/preference.\(format)")
      let rows = try directory.read("out/record.reader.\(format)")
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!(values + rows).contains("sesame") && !values.contains(Self.token))
      #expect(values.contains("redacted 42 B #") && rows.contains("redacted 11 B #"))
      #expect(values.contains("dark") && rows.contains("Bela"))
      #expect(format != "csv" || values.hasPrefix("name,value,base64,redacted\r\n"))
    }
  }

  @Test func `SQL statements, which would store placeholders, are not redacted`() throws {
    try withHome { home, directory in
      let answer = try home.run(
        "export", "--redact", "--format", "sql", "--output-directory", directory.file("out"))

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--redact cannot be combined with --format sql"))
      #expect(try directory.names == ["home"])
    }
  }
}
