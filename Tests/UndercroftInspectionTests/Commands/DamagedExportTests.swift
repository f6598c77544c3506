import Foundation
import TestSupport
import Testing

/// Tests of exports of stores that are damaged.
@Suite struct DamagedExportTests {
  /// Creates a database in which the table `loan` is intact, and the second half of the table
  /// `book` is damaged.
  private static func createDatabaseWithDamagedTable(at url: URL) throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
    try SQLiteShell.run(
      """
      PRAGMA page_size = 512; CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE loan(book INTEGER); INSERT INTO loan VALUES (7);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO book SELECT i, 'The volume ' || i FROM n
      """, on: url)
    let bytes = try Data(contentsOf: url)
    let half = bytes.count / 1_024 * 512
    try (bytes.prefix(half) + Data(repeating: 0xff, count: bytes.count - half)).write(to: url)
  }

  /// Creates a database whose only damage is an index.
  private static func createDatabaseWithDamagedIndex(at url: URL) throws {
    try SQLiteShell.run(
      """
      PRAGMA page_size = 512; CREATE TABLE book(title TEXT);
      CREATE INDEX book_title ON book(title); INSERT INTO book VALUES ('Dune'), ('Emma')
      """, on: url)
    var bytes = try Data(contentsOf: url)
    try #require(bytes.count == 3 * 512)
    bytes.replaceSubrange(1_024..., with: Data(repeating: 0xff, count: 512))
    try bytes.write(to: url)
  }

  private static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a folder has the files of the intact stores and tables of a damaged home`() throws {
    try withHome { home, directory in
      try Self.createDatabaseWithDamagedTable(at: home.url.appending(path: "records.sqlite"))
      try Data("UNDFILE1".utf8).write(to: home.url.appending(path: "archive"))
      let out = directory.file("out")

      let answer = try home.run("export", "--output-directory", out)

      #expect(answer.status == 65)
      #expect(
        try Self.names(in: out) == ["blob.ndjson", "preference.ndjson", "record.loan.ndjson"])
      #expect(try directory.read("out/record.loan.ndjson").contains("\"book\":7"))
      #expect(answer.errors.contains("exported 5 values and rows: 3 files, "), "\(answer.errors)")
      #expect(answer.errors.contains("not everything could be read"))
      #expect(answer.errors.contains("undercroft: archive: cannot read"))
      #expect(answer.errors.contains("undercroft: record: "))
      #expect(try directory.names == ["home", "out"])
    }
  }

  @Test func `standard output and a folder have the intact table of a single damaged database`()
    throws
  {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try Self.createDatabaseWithDamagedTable(at: database)
      let out = url.path + "/out"

      let lines = try run("export", database.path)
      let folder = try run("export", database.path, "--output-directory", out, "--format", "csv")

      #expect(lines.status == 65 && folder.status == 65)
      #expect(lines.lines.last == #"{"kind":"sqlite","row":{"book":7},"table":"loan"}"#)
      #expect(lines.output.contains("\"The volume 1\"") && !lines.output.contains("volume 300"))
      #expect(try Self.names(in: out) == ["sqlite.loan.csv"])
    }
  }

  @Test func `an incomplete file is not created, and a note names the alternatives`() throws {
    try withHome { home, directory in
      try Self.createDatabaseWithDamagedTable(at: home.url.appending(path: "records.sqlite"))

      let answer = try home.run("export", "-o", directory.file("library.ndjson"))

      #expect(answer.status == 65)
      #expect(answer.errors.contains("library.ndjson\" was not created"), "\(answer.errors)")
      #expect(answer.errors.contains("pass --output-directory"))
      #expect(try directory.names == ["home"])
    }
  }

  @Test func `no folder is created if nothing can be read`() throws {
    try withTemporaryDirectory { url in
      let archive = url.appending(path: "archive")
      try Data("UNDFILE1".utf8).write(to: archive)

      let answer = try run("export", archive.path, "--output-directory", url.path + "/out")

      #expect(answer.status == 65)
      #expect(try Self.names(in: url.path) == ["archive"])
    }
  }

  @Test(arguments: [[], ["-o", "out"], ["--output-directory", "out"]])
  func `damage that only check finds is reported, after all rows are exported`(
    options: [String]
  ) throws {
    try withTemporaryDirectory { url in
      let database = url.appending(path: "library.sqlite")
      try Self.createDatabaseWithDamagedIndex(at: database)
      let out = url.path + "/out"

      let answer = try run(
        ["export", database.path] + options.map { $0.hasPrefix("-") ? $0 : out })

      let file = options.first == "-o" ? out : out + "/sqlite.book.ndjson"
      let exported =
        options.isEmpty ? answer.output : try String(contentsOfFile: file, encoding: .utf8)
      #expect(answer.status == 65)
      #expect(
        exported.split(separator: "\n").map { $0.contains("Dune") || $0.contains("Emma") } == [
          true, true,
        ])
      #expect(answer.errors.contains("everything was read, but the store is damaged"))
      #expect(answer.errors.contains("undercroft check"), "\(answer.errors)")
    }
  }
}
