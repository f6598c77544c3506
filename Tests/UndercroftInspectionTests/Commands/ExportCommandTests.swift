import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore

@Suite struct ExportCommandTests {
  @Test func `each value and each row is a JSON object on its own line`() throws {
    try withHome { home, _ in
      let answer = try home.run("export")

      #expect(answer.status == 0, "\(answer.errors)")
      let lines = answer.output.split(separator: "\n")
      #expect(lines.contains(#"{"kind":"preference","name":"theme","value":"\"dark\""}"#))
      #expect(
        lines.contains(
          #"{"kind":"record","row":{"author":1,"id":"b1","title":"Emma at noon"},"table":"book"}"#))
      #expect(
        lines.contains(
          #"{"kind":"record","row":{"author":null,"id":"b3","title":"=1+1"},"table":"book"}"#))
      for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  @Test func `a value that is not text is in Base64`() throws {
    try withHome { home, _ in
      let bytes = Data([0xff, 0x00, 0x80])
      try Storage(home: home.url).save(
        bytes, for: StorageKey("cover/persuasion", kind: .blob, default: Data()))

      let answer = try home.run("export", "--kind", "blob")

      #expect(
        answer.output.contains(
          #"{"base64":"\#(bytes.base64EncodedString())","kind":"blob","name":"cover/persuasion"}"#))
    }
  }

  @Test func `integers are exact, and blobs in rows are in Base64`() throws {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run(
        """
        CREATE TABLE loan(id INTEGER, scan BLOB, fee REAL);
        INSERT INTO loan VALUES (9007199254740993, x'00ff', 0.1)
        """, on: database)

      let answer = try run("export", database.path)

      #expect(
        answer.output == """
          {"kind":"sqlite","row":{"fee":0.1,"id":9007199254740993,"scan":{"base64":"AP8="}},"table":"loan"}

          """)
    }
  }

  @Test func `confidential stores are left out, with a note`() throws {
    try withHome { home, _ in
      let answer = try home.run(
        "export", "--key-file", home.url.appending(path: "keys/vault.key").path)

      #expect(answer.status == 0)
      #expect(!answer.output.contains("s3cret") && !answer.output.contains("\"pin\""))
      #expect(answer.errors.contains(#"confidential stores are left out: "secret""#))
    }
  }

  @Test func `the number of exported values that look like secrets is noted`() throws {
    try withHome { home, _ in
      try home.save("ghp_0123456789abcdefghijABCDEFGHIJ012345", as: "api.token")

      let answer = try home.run("export", "--kind", "preference")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains("ghp_0123456789"))
      #expect(answer.errors.contains("1 value that may be a secret was exported"))
    }
  }

  @Test(arguments: [["--kind", "secret"], ["-o", "library.ndjson", "--kind", "secret"]])
  func `an export of only confidential stores is an error that names the alternatives`(
    arguments: [String]
  ) throws {
    try withHome { home, directory in
      let arguments = arguments.map { $0.hasPrefix("library") ? directory.file($0) : $0 }

      let answer = try run(
        ["export", home.url.path, "--key-file", home.url.appending(path: "keys/vault.key").path]
          + arguments)

      #expect(answer.status == 77)
      #expect(answer.output.isEmpty)
      #expect(answer.errors.contains("undercroft cp") && answer.errors.contains("--reveal"))
      #expect(try directory.names == ["home"])
    }
  }

  @Test func `control characters in values are escaped`() throws {
    try withHome { home, _ in
      try home.save("\u{1b}[31mred\u{202e}", as: "title")

      let answer = try home.run("export", "--kind", "preference")

      #expect(!answer.output.contains("\u{1b}") && !answer.output.contains("\u{202e}"))
    }
  }

  // MARK: Files

  @Test func `an exported file is private and has the lines of the output`() throws {
    try withHome { home, directory in
      let lines = try home.run("export").output
      let before = try fileStates(in: home.url)

      let answer = try home.run("export", "-o", directory.file("library.ndjson"))

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.isEmpty)
      let isNoted = answer.errors.contains(/exported \d+ values and rows: 1 file, .+B\n/)
      #expect(isNoted, "\(answer.errors)")
      #expect(try directory.read("library.ndjson") == lines)
      #expect(try directory.names == ["home", "library.ndjson"])
      let mode =
        try FileManager.default.attributesOfItem(
          atPath: directory.file("library.ndjson"))[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(try fileStates(in: home.url) == before)
    }
  }

  @Test(arguments: ["-o", "--output-directory"])
  func `an existing file is not replaced`(option: String) throws {
    try withHome { home, directory in
      try directory.write("mine", to: "library")

      let answer = try home.run("export", option, directory.file("library"))

      #expect(answer.status == 74)
      #expect(try directory.read("library") == "mine")
      #expect(try directory.names == ["home", "library"])
    }
  }

  @Test func `a folder that cannot be created is named with the reason and a suggestion`() throws {
    try withHome { home, directory in
      let out = directory.file(String(repeating: "loan", count: 80))

      let answer = try home.run("export", "--output-directory", out)

      #expect(answer.status == 74)
      #expect(
        answer.errors == """
          undercroft: cannot create the folder "\(out)": file name too long; choose a shorter path

          """)
      #expect(try directory.names == ["home"])
    }
  }

  @Test func `an export that fails creates no file`() throws {
    try withHome { home, directory in
      let record = home.url.appending(path: "records.sqlite")
      try Data("SQLite format 3\0".utf8 + Data(repeating: 0xff, count: 4_080)).write(to: record)

      let answer = try home.run("export", "-o", directory.file("library.ndjson"))

      #expect(answer.status != 0)
      #expect(try directory.names == ["home"])
    }
  }

  @Test func `a file that cannot be created ends the export without the name of a store`() throws {
    try withHome { home, directory in
      let name = String(repeating: "loan", count: 80)
      try SQLiteShell.run(
        "CREATE TABLE \(name)(reader)", on: home.url.appending(path: "records.sqlite"))

      let answer = try home.run("export", "--output-directory", directory.file("library"))

      #expect(answer.status == 74)
      #expect(answer.errors.contains("undercroft: cannot open"), "\(answer.errors)")
      #expect(try directory.names == ["home"])
    }
  }

  @Test(arguments: ["ndjson", "json", "csv", "plist", "sql"])
  func `a folder has a file for each kind and each table`(format: String) throws {
    try withHome { home, directory in
      let answer = try home.run(
        "export", "--output-directory", directory.file("library"), "--format", format)

      #expect(answer.status == 0, "\(answer.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("library"))
      let expected = ["preference", "blob", "record.author", "record.book"].map {
        "\($0).\(format)"
      }
      #expect(Set(names).isSuperset(of: expected))
      #expect(!names.contains("secret.\(format)"))
      let theme = try directory.read("library/preference.\(format)")
      #expect(theme.contains("theme") && theme.contains("dark"))
    }
  }

  @Test func `an export with --csv-safe has no fields that a spreadsheet calculates`() throws {
    try withHome { home, directory in
      try home.save("@SUM(A1:A9)", as: "=HYPERLINK(1)")
      let options = ["--format", "csv", "--output-directory"]

      let plain = try run(["export", home.url.path] + options + [directory.file("plain")])
      let safe = try run(
        ["export", home.url.path, "--csv-safe"] + options + [directory.file("safe")])

      #expect([plain.status, safe.status] == [0, 0], "\(safe.errors)")
      #expect(try directory.read("plain/record.book.csv").contains("b3,=1+1,"))
      #expect(try directory.read("safe/record.book.csv").contains("b3,'=1+1,"))
      let values = try directory.read("safe/preference.csv")
      #expect(values.contains("'=HYPERLINK(1),"))
      #expect(values.contains(#"'""@SUM(A1:A9)"""#), "\(values)")
    }
  }

  @Test func `the error of --csv-safe names all options that are missing`() throws {
    try withHome { home, _ in
      let answer = try home.run("export", "--csv-safe")

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--csv-safe needs --format csv and --output-directory."))
    }
  }

  @Test func `an export replaces an empty folder, and no other one`() throws {
    try withHome { home, directory in
      for name in ["empty", "full"] {
        try FileManager.default.createDirectory(
          atPath: directory.file(name), withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o750])
      }
      try directory.write("mine", to: "full/note.txt")

      let empty = try home.run("export", "--output-directory", directory.file("empty"))
      let full = try home.run("export", "--output-directory", directory.file("full"))

      #expect(empty.status == 0, "\(empty.errors)")
      #expect(try directory.read("empty/preference.ndjson").contains("theme"))
      let mode =
        try FileManager.default.attributesOfItem(
          atPath: directory.file("empty"))[.posixPermissions] as? Int
      #expect(mode == 0o750)
      #expect(full.status == 74)
      #expect(full.errors.contains("exists already"))
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("full"))
      #expect(names == ["note.txt"])
      #expect(try directory.names == ["empty", "full", "home"])
    }
  }

  @Test func `exported SQL statements restore the rows and values`() throws {
    try withHome { home, directory in
      #expect(
        try home.run("export", "--output-directory", directory.file("library"), "--format", "sql")
          .status == 0)

      let rows = try SQLiteShell.run(
        """
        CREATE TABLE book(id, title, author); CREATE TABLE blob(name, value);
        \(try directory.read("library/record.book.sql"))
        \(try directory.read("library/blob.sql"))
        SELECT * FROM book WHERE id = 'b1'; SELECT name, length(value) FROM blob ORDER BY name
        """, on: URL(filePath: directory.file("restored.sqlite")))

      #expect(rows == "b1|Emma at noon|1\ncover/dune|20\ncover/emma|5000\n")
    }
  }

  @Test func `SQL statements of export and rows leave out generated columns`() throws {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      let schema = """
        CREATE TABLE loan(
          days INTEGER, weeks AS (days / 7), reader TEXT, short AS (substr(reader, 1, 1)) STORED);
        """
      try SQLiteShell.run(
        schema + "INSERT INTO loan(days, reader) VALUES (14, 'Ada')", on: database)

      let export = try run(
        "export", database.path, "--output-directory", url.path + "/out", "--format", "sql")
      let rows = try run("rows", database.path, "loan", "--format", "sql")
      let csv = try run("rows", database.path, "loan", "--format", "csv")

      let statement = "INSERT INTO \"loan\" (\"days\", \"reader\") VALUES (14, 'Ada');\n"
      let exported = try String(contentsOfFile: url.path + "/out/sqlite.loan.sql", encoding: .utf8)
      #expect(exported == statement, "\(export.errors)")
      #expect(rows.output == statement, "\(rows.errors)")
      #expect(csv.output.hasPrefix("days,weeks,reader,short\r\n"))
      let restored = try SQLiteShell.run(
        schema + exported + "SELECT weeks, short FROM loan",
        on: url.appending(path: "restored.sqlite"))
      #expect(restored == "2|A\n")
    }
  }

  @Test func `the name of a table cannot lead out of the folder`() throws {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try SQLiteShell.run(
        #"CREATE TABLE "../../escaped/\#u{1b}x"(a); INSERT INTO "../../escaped/\#u{1b}x" VALUES (1)"#,
        on: database)

      let answer = try run(
        "export", database.path, "--output-directory", url.path + "/out", "--format", "csv")

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
          == ["library.sqlite", "out"])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: url.path + "/out")
          == ["sqlite.%2E%2E%2F%2E%2E%2Fescaped%2F%1Bx.csv"])
    }
  }

  @Test(arguments: [
    ["--format", "csv"], ["-o", "a", "--output-directory", "b"], ["--output-directory", ""],
    ["--csv-safe"], ["--csv-safe", "--format", "csv"],
    ["--csv-safe", "--output-directory", "unwritten"],
    ["--csv-safe", "--format", "json", "--output-directory", "unwritten"],
  ])
  func `options that need others are wrong usage`(arguments: [String]) throws {
    try withHome { home, _ in
      let answer = try run(["export", home.url.path] + arguments)

      #expect(answer.status == 64)
    }
  }

  @Test(arguments: LiveWriter.stores.filter { $0 != "vault" })
  func `a store is exported while another process writes to it`(store: String) throws {
    try withTemporaryDirectory { url in
      let writer = try LiveWriter(store, in: url)

      let answer = try run("export", writer.path)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!answer.lines.isEmpty)
      #expect(writer.isRunning)
    }
  }
}
