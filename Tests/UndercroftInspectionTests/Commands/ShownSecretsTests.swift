import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the redaction of secrets by the commands that show values: `rows`, `query`, `tree` and
/// `get`.
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

  private static let secrets = [
    (name: "api_token", value: "open sesame"), ("note", "password: open sesame"),
  ]

  /// Saves a secret as a preference, and returns the answer of `get` without `--show-secrets`.
  private func get(
    _ secret: (name: String, value: String), format: String
  ) throws -> (output: String, errors: String, status: Int) {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save(secret.value, as: secret.name)
      return try home.run("get", secret.name, "--format", format)
    }
  }

  @Test(arguments: ["text", "json"], secrets)
  func `get shows a placeholder instead of a secret in text and JSON`(
    format: String, secret: (name: String, value: String)
  ) throws {
    let answer = try get(secret, format: format)

    #expect(answer.status == 0)
    #expect(answer.output.contains("‹redacted"), "\(answer.output)")
    #expect(!answer.output.contains("sesame"))
    #expect(answer.errors.hasSuffix("to show secrets, pass --show-secrets\n"))
    #expect(answer.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["auto", "raw"], secrets)
  func `get writes no bytes of a value with a secret, and no placeholder, to another program`(
    format: String, secret: (name: String, value: String)
  ) throws {
    let answer = try get(secret, format: format)

    #expect(answer.status == 77)
    #expect(answer.output.isEmpty)
    #expect(answer.errors.contains("looks like a secret"))
    #expect(answer.errors.contains("--show-secrets"))
    #expect(!answer.errors.contains("sesame"))
  }

  @Test(arguments: ["auto", "text", "json", "raw"])
  func `get shows a value that looks like a secret with --show-secrets, and notes nothing`(
    format: String
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame", as: "api_token")

      let answer = try home.run("get", "api_token", "--format", format, "--show-secrets")

      #expect(answer.status == 0)
      #expect(answer.output.contains("open sesame"))
      #expect(answer.errors.isEmpty, "\(answer.errors)")
    }
  }

  @Test func `get redacts the secret members of JSON one by one, and says so in JSON`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try Storage(home: home.url).save(
        ["password": "open sesame", "reader": "Ada"],
        for: StorageKey("login", kind: .preference, default: [:]))

      let json = try home.run("get", "login", "--format", "json").output

      let row = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let expected = #/\{"password":"‹redacted 11 B #[0-9a-f]{8}›","reader":"Ada"\}/#
      #expect((row["redacted"] as? String)?.wholeMatch(of: expected) != nil, "\(json)")
      #expect(row["value"] == nil && row["encoding"] == nil)
      #expect(row["bytes"] as? Int == 41)
    }
  }

  @Test func `get shows a property list with a placeholder, and refuses to write its bytes`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let list = try PropertyListSerialization.data(
        fromPropertyList: ["password": "open sesame", "reader": "Ada"], format: .binary, options: 0)
      try Storage(home: home.url).save(
        list, for: StorageKey("login", kind: .blob, default: Data()))

      let raw = try home.run("get", "login", "--format", "raw")
      let text = try home.run("get", "login", "--format", "text")

      #expect(raw.status == 77 && raw.output.isEmpty)
      #expect(text.status == 0)
      #expect(text.output.contains("Ada") && text.output.contains("‹redacted 11 B #"))
      #expect(!text.output.contains("sesame"))
    }
  }
}
