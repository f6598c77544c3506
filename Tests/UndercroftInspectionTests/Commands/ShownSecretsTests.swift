import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the redaction of secrets by the commands that show values: `rows`, `query` and `tree`.
@Suite struct ShownSecretsTests {
  private static let script: SQL = """
    CREATE TABLE reader(name TEXT, api_token TEXT, card INTEGER);
    INSERT INTO reader VALUES ('Ada', 'open sesame', 7), ('Bela', 'open barley', 8);
    CREATE TABLE setting(key TEXT PRIMARY KEY, value);
    INSERT INTO setting VALUES ('theme', 'dark'), ('password', 'open sesame');
    """

  @Test(arguments: ["table", "json", "ndjson", "csv", "tsv", "md", "plist", "sql", "raw"])
  func `rows and query redact secrets in every format and note it once`(format: String) throws {
    try withSampleDatabase(Self.script) { url in
      let commands = [
        ["rows", url.path, "reader"], ["query", url.path, "SELECT name, api_token FROM reader"],
      ]
      for command in commands {
        let answer = try run(command + ["--format", format])

        #expect(answer.output.contains("‹redacted 11 B"), "\(command)")
        #expect(answer.output.contains("Ada"), "\(command)")
        #expect(!answer.output.contains("sesame"), "\(command)")
        #expect(answer.errors.components(separatedBy: "--show-secrets").count == 2, "\(command)")
        #expect(answer.status == 0, "\(command)")
      }
    }
  }

  @Test func `rows and query show secrets with --show-secrets and write no note`() throws {
    try withSampleDatabase(Self.script) { url in
      for command in [
        ["rows", url.path, "reader"], ["query", url.path, "SELECT api_token FROM reader"],
      ] {
        let answer = try run(command + ["--show-secrets"])

        #expect(answer.output.contains("open sesame"))
        #expect(answer.errors.isEmpty)
      }
    }
  }

  @Test func `the name in a row decides about the value in the same row`() throws {
    try withSampleDatabase(Self.script) { url in
      let answer = try run("rows", url.path, "setting")

      #expect(answer.output.contains("dark"))
      #expect(!answer.output.contains("sesame"))
    }
  }

  @Test func `a query redacts a value with a secret name under any name of its column`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame", as: "api_token")

      let answer = try home.run(
        "query", "SELECT value AS v FROM preference WHERE name = 'api_token'")
      let size = try home.run(
        "query", "SELECT length(value) AS n FROM preference WHERE name = 'api_token'")

      #expect(answer.output.contains("‹redacted"))
      #expect(!answer.output.contains("sesame"))
      #expect(size.output.contains("13"))
    }
  }

  @Test func `tree redacts the values of secret keys and the part with a secret key`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "settings.plist")
      let list: [String: Any] = ["theme": "dark", "login": ["password": "open sesame"]]
      try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        .write(to: file)

      let whole = try run("tree", file.path)
      let part = try run("tree", file.path, "--part", "login.password")
      let shown = try run("tree", file.path, "--part", "login.password", "--show-secrets")

      #expect(whole.output.contains("dark"))
      #expect(whole.output.contains("‹redacted"))
      #expect(!(whole.output + part.output).contains("sesame"))
      #expect(part.errors.contains("--show-secrets"))
      #expect(shown.output.contains("open sesame"))
      #expect(shown.errors.isEmpty)
    }
  }

  @Test func `tree redacts only the values of secret keys in a keyed archive`() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "reader.archive")
      let shelves: NSArray = ["A", "B"]
      let reader: NSDictionary = [
        "title": "Dune", "password": "open sesame", "shelves": shelves, "again": shelves,
        "since": NSDate(timeIntervalSinceReferenceDate: 0), 7: "seven",
      ]
      try NSKeyedArchiver.archivedData(withRootObject: reader, requiringSecureCoding: false)
        .write(to: file)

      let answer = try run("tree", file.path)

      #expect(answer.output.contains("‹redacted 11 B"), "\(answer.output)")
      #expect(!answer.output.contains("sesame"))
      for text in ["Dune", "NSArray", "shown above", "2001-01-01", "seven", "\"password\": "] {
        #expect(answer.output.contains(text), "\(text) in \(answer.output)")
      }
      #expect(answer.errors.contains("--show-secrets"))
    }
  }

  @Test func `get shows a value that looks like a secret`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame", as: "api_token")

      #expect(try home.run("get", "api_token").output.contains("open sesame"))
    }
  }
}
