import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct DiagramCommandTests {
  private static let formats: [([String], String)] = [
    ([], "Mermaid"), (["--dot"], "Graphviz"), (["--mermaid"], "Mermaid"),
  ]

  @Test(arguments: formats)
  func `a file with the name of an SVG document needs the option --svg`(
    options: [String], format: String
  ) throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT);") { url in
      let file = url.deletingLastPathComponent().appending(path: "library.SVG").path

      let answer = try run(["er", url.path, "--output", file] + options)

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--svg"))
      #expect(answer.errors.contains(format))
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test func `a diagram is written as SVG to a file with any name`() throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT);") { url in
      let folder = url.deletingLastPathComponent()
      for name in ["library.svg", "library.mmd"] {
        let file = folder.appending(path: name)

        let answer = try run("er", url.path, "--svg", "--output", file.path)

        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<svg"))
      }
    }
  }

  private static let constraints: SQL = """
    CREATE TABLE member(
      id INTEGER PRIMARY KEY, card TEXT NOT NULL UNIQUE, email TEXT, phone TEXT, name TEXT NOT NULL,
      UNIQUE(name, phone));
    CREATE UNIQUE INDEX member_email ON member(email COLLATE NOCASE);
    CREATE UNIQUE INDEX member_phone ON member(phone) WHERE phone <> '';
    CREATE UNIQUE INDEX member_name ON member(lower(name));
    CREATE TABLE loan(
      number INTEGER PRIMARY KEY REFERENCES member, reader INTEGER NOT NULL REFERENCES member,
      guarantor INTEGER REFERENCES member, desk INTEGER UNIQUE REFERENCES member, member_id INTEGER);
    """

  @Test
  func `a diagram shows unique columns, and references that can be NULL or are unique`() throws {
    try withSampleDatabase(Self.constraints) { url in
      let diagram = try run("er", url.path)

      #expect(
        diagram.output == """
          erDiagram
            t0["loan"] {
              INTEGER number PK, FK
              INTEGER reader FK
              INTEGER guarantor FK
              INTEGER desk FK, UK
              INTEGER member_id FK
            }
            t1["member"] {
              INTEGER id PK
              TEXT card UK
              TEXT email UK
              TEXT phone
              TEXT name
            }
            t1 |o--o| t0 : "desk"
            t1 |o--o{ t0 : "guarantor"
            t1 ||--o{ t0 : "reader"
            t1 ||--o| t0 : "number"
            t1 |o..o{ t0 : "member_id"

          """, "\(diagram.errors)")
    }
  }

  @Test func `a reference of two columns is optional if one of them can be NULL`() throws {
    try withSampleDatabase(
      """
      CREATE TABLE copy(book TEXT, number INTEGER, PRIMARY KEY(book, number)) WITHOUT ROWID;
      CREATE TABLE loan(
        book TEXT NOT NULL, number INTEGER,
        FOREIGN KEY(book, number) REFERENCES copy(book, number));
      CREATE TABLE damage(
        book TEXT NOT NULL, number INTEGER NOT NULL,
        FOREIGN KEY(book, number) REFERENCES copy(book, number));
      """
    ) { url in
      let diagram = try run("er", url.path)

      #expect(diagram.output.contains("t0 |o--o{ t2"), "\(diagram.errors)")
      #expect(diagram.output.contains("t0 ||--o{ t1"))
    }
  }

  private static let internalTables = [
    "undercroft_migration", "book_search_data", "undercroft.book_search.replaced",
  ]

  @Test func `internal tables are drawn only with the option --all`() throws {
    try withSampleDatabase(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE book_search_rank(book INTEGER);
      CREATE TABLE sync_plan(book INTEGER);
      CREATE VIRTUAL TABLE book_search USING fts5(title, content='book', content_rowid='id');
      CREATE TABLE undercroft_migration(position INTEGER PRIMARY KEY);
      CREATE TABLE "undercroft.book_search.replaced"(number INTEGER PRIMARY KEY, text0 TEXT);
      """
    ) { url in
      let diagram = try run("er", url.path)
      let complete = try run("er", url.path, "--all")

      for name in ["book", "book_search", "book_search_rank", "sync_plan"] {
        #expect(diagram.output.contains("[\"\(name)\"]"), "\(name)")
      }
      for name in Self.internalTables {
        #expect(!diagram.output.contains(name), "\(name)")
        #expect(complete.output.contains("[\"\(name)\"]"), "\(name)")
      }
    }
  }

  @Test func `the tables of synchronisation are internal on a device, but not on a server`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let library = try await SyncedLibrary(in: directory)

      let device = try run("er", library.desk(0).path)
      let server = try run("er", library.server.path)

      #expect(device.output.contains("[\"book\"]"), "\(device.errors)")
      #expect(!device.output.contains("sync_") && !device.output.contains("DirtyList"))
      #expect(server.output.contains("[\"sync_record\"]"), "\(server.errors)")
    }
  }

  @Test func `a database that has only internal tables is drawn with them`() throws {
    try withSampleDatabase("CREATE TABLE undercroft_migration(position INTEGER PRIMARY KEY);") {
      url in
      let drawn = try run("er", url.path)
      #expect(drawn.output.contains("undercroft_migration"), "\(drawn.errors)")
    }
  }
}
