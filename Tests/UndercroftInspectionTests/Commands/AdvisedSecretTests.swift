import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

/// Tests of the advice about secrets, and of the commands that follow advice.
@Suite struct AdvisedSecretTests {
  private static func advice(
    _ path: String, about rule: String, _ arguments: String...
  ) throws -> [[String: Any]] {
    try rowsOfJSON(try run(["advise", path, "--format", "json"] + arguments).output)
      .filter { $0["rule"] as? String == rule }
  }

  @Test(arguments: ["api-token", "api token", "-token", "it's a $token"])
  func `a secret in a plaintext store is advised with the command that removes it`(
    name: String
  ) throws {
    try EditedHome.with { edited in
      let path = edited.home.url.path
      try edited.home.save("open sesame", as: name)

      let row = try #require(try Self.advice(path, about: "plaintext-secret").first)
      let text = try edited.home.run("advise").output

      let command = try #require(row["command"] as? String)
      #expect(command.hasPrefix("undercroft rm \(path) "))
      #expect(command.contains(" --kind preference --write --no-undo --yes"))
      #expect(text.contains("  run: \(command)\n"))
      let script = "\"$0\" rm \(command.dropFirst("undercroft rm ".count))"
      let answer = try Program(at: "/bin/sh").run(
        ["-c", script, try Program.inspector.path], environment: edited.environment)
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try edited.preference(name) == nil)
      #expect(try edited.undoFiles.isEmpty)
      #expect((row["fix"] as? String)?.contains("--no-undo") == true)
    }
  }

  @Test func `on a terminal, the command that removes a secret asks before it does`() throws {
    try EditedHome.with { edited in
      try edited.home.save("open sesame", as: "api-token")
      let arguments = ["advise", edited.home.url.path, "--color", "never", "--no-pager"]

      let terminal = try PseudoTerminal(
        Program.inspector, arguments, size: .init(columns: 200, lines: 100)
      ).result()

      #expect(
        terminal.output.contains(" --kind preference --write --no-undo\n"), "\(terminal.output)")
      #expect(!terminal.output.contains("--yes"))
    }
  }

  /// Values, and whether they contain a secret after decompression.
  private static let documents: [(name: String, text: String, isSecret: Bool)] = [
    ("notes.gz", "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n", true),
    ("notes.gz", "the desk\ntoken: open sesame\n", true), ("api_token.gz", "open sesame", true),
    ("changes.gz", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", false),
    ("changes.gz", "Emma was lent at noon", false),
    ("log.gz", "token: open sesame\n" + String(repeating: "quiet ", count: 2_000), false),
  ]

  @Test(arguments: documents.indices)
  func `a secret of a known form in a short gzip value is advised`(index: Int) throws {
    let (name, text, isSecret) = Self.documents[index]
    let value = try GzipProgram.compress(Data(text.utf8))
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "blobs")
      try FileBackend(in: url).apply([.set(name, value)])

      let found = try Self.advice(url.path, about: "plaintext-secret")

      #expect(found.map { $0["subject"] as? String } == (isSecret ? [name] : []))
    }
  }

  @Test func `a secret in a gzip blob of a row is advised`() throws {
    let text = "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n"
    let value = try GzipProgram.compress(Data(text.utf8))
    let digits = value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let script = """
      CREATE TABLE day(id INTEGER PRIMARY KEY, log BLOB);
      INSERT INTO day VALUES (7, x'\(digits)')
      """
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let row = try #require(try Self.advice(url.path, about: "plaintext-secret").first)

      #expect(row["subject"] as? String == "day.log")
      #expect(row["rows"] as? [String] == ["id = 7"])
    }
  }

  @Test func `the rows with secrets in a table are named by their primary key`() throws {
    try withSampleDatabase(
      """
      CREATE TABLE reader(id INTEGER PRIMARY KEY, token TEXT);
      INSERT INTO reader VALUES (7, 'open sesame'), (8, NULL), (9, 'open barley');
      """
    ) { url in
      let row = try #require(try Self.advice(url.path, about: "plaintext-secret").first)

      #expect(row["table"] as? String == "reader")
      #expect(row["subject"] as? String == "reader.token")
      #expect(row["rows"] as? [String] == ["id = 7", "id = 9"])
      #expect(row["count"] as? Int == 2)
      #expect((row["reason"] as? String)?.hasSuffix("the rows are: id = 7; id = 9") == true)
    }
  }

  @Test(arguments: [
    "CREATE TABLE card(pin TEXT, day TEXT);", "CREATE TABLE card(pin TEXT PRIMARY KEY, day TEXT);",
    "CREATE TABLE card(pin TEXT, day TEXT); CREATE INDEX due ON card(day, pin);",
  ])
  func `a row whose key is missing or is the secret itself is named by its rowid`(
    table: String
  ) throws {
    let rows = "INSERT INTO card(rowid, pin, day) VALUES (11, '', 'a'), (12, 'open', 'z')"
    try withSampleDatabase(SQL(unchecked: "\(table) \(rows), (13, NULL, 'b');")) { url in
      let row = try #require(try Self.advice(url.path, about: "plaintext-secret").first)

      #expect(row["rows"] as? [String] == ["rowid = 12"])
    }
  }

  @Test func `only the first rows with secrets are named, without a number of all rows`() throws {
    let script = """
      CREATE TABLE reader(id INTEGER PRIMARY KEY, token TEXT);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9)
      INSERT INTO reader SELECT x, 'open sesame' FROM n;
      """
    try withSampleDatabase(SQL(unchecked: script)) { url in
      let row = try #require(try Self.advice(url.path, about: "plaintext-secret").first)

      #expect(row["rows"] as? [String] == (1...5).map { "id = \($0)" })
      #expect(row["count"] == nil)
      #expect((row["reason"] as? String)?.hasSuffix("id = 5; …") == true)
    }
  }

  @Test func `the command for a missing index creates it, also in a path with a blank`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "my library's.sqlite")
      let database = try Database(at: url)
      try database.write { db in
        try db.executeScript(
          """
          CREATE TABLE book(id INTEGER PRIMARY KEY);
          CREATE TABLE loan(id INTEGER PRIMARY KEY, book INTEGER REFERENCES book(id));
          WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1500)
          INSERT INTO loan SELECT x, NULL FROM n;
          """)
      }
      try database.close()
      let row = try #require(try Self.advice(url.path, about: "missing-index").first)

      let command = try #require(row["command"] as? String)
      let answer = try Program(at: "/bin/sh").run(["-c", command])

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(try Self.advice(url.path, about: "missing-index").isEmpty)
    }
  }

  @Test func `the command for a file that others can read denies the access`() throws {
    try withSampleDatabase("CREATE TABLE book(id INTEGER PRIMARY KEY);") { url in
      #expect(chmod(url.path, 0o666) == 0)
      let row = try #require(try Self.advice(url.path, about: "shared-file").first)

      let text = try run("advise", url.path).output

      let command = try #require(row["command"] as? String)
      _ = try Program(at: "/bin/sh").run(["-c", command])
      #expect(try Self.advice(url.path, about: "shared-file").isEmpty)
      #expect(text.contains("  \(command)\n") && !text.contains("run:"))
    }
  }

  @Test func `a vault without its key is not counted as examined`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let key = directory.appending(path: "keys/vault.key").path

      let locked = try home.run("advise")
      let opened = try home.run("advise", "--key-file", key)

      #expect(locked.status == 0)
      #expect(opened.status == 0)
      #expect(locked.errors.contains("no advice other than notes: 3 stores"), "\(locked.errors)")
      #expect(
        locked.errors.contains(
          """
          undercroft: secret: cannot open "\(directory.path)/secrets/vault": the vault is locked, \
          because no key was given; pass --key-file FILE or --ask-passphrase

          """))
      #expect(opened.errors == "undercroft: no advice other than notes: 4 stores were examined\n")
    }
  }

  @Test func `a vault without its key is noted also if there is advice about others`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      try home.save("open sesame", as: "api_token")

      let answer = try home.run("advise")

      #expect(answer.status == 1)
      #expect(answer.errors.contains("secrets/vault\": the vault is locked"), "\(answer.errors)")
      #expect(!answer.errors.contains("no advice"))
    }
  }

  @Test func `a large value in a vault is advised to be stored in encrypted files`() throws {
    try withTemporaryDirectory { directory in
      _ = try SampleHome(at: directory)
      let letter = String(repeating: "x", count: 200_000)
      try Storage(home: directory).save(letter, for: StorageKey("n", kind: .secret, default: ""))
      let key = directory.appending(path: "keys/vault.key").path

      let locked = try Self.advice(directory.path, about: "large-value")
      let opened = try Self.advice(directory.path, about: "large-value", "--key-file", key)

      #expect(locked.isEmpty)
      #expect(opened.map { $0["kind"] as? String } == ["secret"])
      #expect((opened.first?["fix"] as? String)?.contains(".encrypted(with:") == true)
    }
  }

  @Test func `the help of the tool says that advise finds secrets`() throws {
    let help = try run("--help").output.split { $0.isWhitespace }.joined(separator: " ")

    #expect(help.contains("finds secrets outside of vaults"))
  }
}
