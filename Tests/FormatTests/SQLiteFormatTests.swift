import FixtureLibrary
import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/SQLite.md`.
@Suite struct SQLiteFormatTests {
  /// Returns the statements of a schema, in the order of their creation.
  private static func statements(
    of database: Database, where condition: SQL = "true"
  ) throws -> [String] {
    try database.fetchAll(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND \(condition) ORDER BY rowid"
    ) { row in try row[0] as String }
  }

  @Test func `a key-value database has the documented header, table and rows`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let store = try SQLiteBackend(at: url)

      try store.apply([.set("ü", Data()), .set("loan", Data([0, 255]))])

      let rows = try store.database.fetchAll(
        "SELECT quote(name), quote(value) FROM undercroft_entry"
      ) { row in "\(try row[0] as String) \(try row[1] as String)" }
      let statements = try Self.statements(of: store.database)
      try store.database.close()
      let header = try Data(contentsOf: url).prefix(100)

      #expect(
        statements == [
          """
          CREATE TABLE undercroft_entry(
            name TEXT PRIMARY KEY NOT NULL,
            value BLOB NOT NULL
          ) WITHOUT ROWID
          """
        ])
      #expect(rows == ["'loan' X'00FF'", "'ü' X''"])
      #expect(header.prefix(16) == Data("SQLite format 3\0".utf8))
      #expect(header[18..<20] == Data([2, 2]))
      #expect(header[56..<60] == Data([0, 0, 0, 1]))
      #expect(header[60..<64] == Data(count: 4))
      #expect(header[68..<72] == Data("Undc".utf8))
    }
  }

  @Test func `a table that another program created as documented opens as a key-value store`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let other = try Database(at: url)
      try other.write { db in
        try db.executeScript(
          """
          CREATE TABLE undercroft_entry(name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL)
            WITHOUT ROWID;
          INSERT INTO undercroft_entry VALUES ('loan', x'44756e65');
          """)
      }
      try other.close()

      let store = try SQLiteBackend(at: url)

      try #expect(store.keys(withPrefix: "") == ["loan"])
      try #expect(store.read("loan") == Data("Dune".utf8))
    }
  }

  @Test func `declared tables are created with the documented statements`() throws {
    let database = try Database.inMemory()

    try LibraryTables.fill(database)

    let statements = try Self.statements(of: database, where: "name NOT GLOB '*_search_*'")
    let golden = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/tables.sql")
    let expected = try String(contentsOf: golden, encoding: .utf8).split(separator: "\n")
    for (statement, line) in zip(statements, expected) { #expect(statement == line) }
    #expect(statements.count == expected.count)
  }

  @Test func `indexes of all kinds have the documented names`() throws {
    struct Shelf: TableRecord {
      var id: Int64?
      var place: Int
      var row: Int
      static let table = Table(
        "shelf", Shelf.init, Column("id", \.id).primaryKey(), Column("a.b", \.place).indexed(),
        Column("7", \.row)
      )
      .indexed(\.place, where: "id > 3").indexed(\.row, \.place, unique: true)
    }
    let database = try Database.inMemory()

    try database.write { db in try Shelf(place: 1, row: 2).insert(in: db) }

    let names = try database.fetchAll("SELECT name FROM sqlite_schema WHERE type = 'index'") {
      row in
      try row[0] as String
    }
    #expect(
      Set(names) == [
        #"undercroft.shelf."a.b""#, #"undercroft.shelf."a.b".2"#, #"undercroft.shelf."7"."a.b""#,
      ])
  }

  @Test func `a value of every supported type has the documented form in its column`() throws {
    let database = try Database.inMemory()

    try LibraryTables.fill(database)

    let book = try database.fetchOne("SELECT * FROM book WHERE id = 1") { row in
      try (0..<row.count).map { try row[$0] as SQLValue }
    }
    #expect(
      book == [
        .integer(1), .integer(1), .text("Emma"), .text("novel"), .integer(1), .integer(474),
        .integer(5), .real(0.1), .real(19.5), .text("12.3"), .text("2026-11-22 11:38:07.125"),
        .blob(Data([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255])),
        .text("https://example.org/emma?a=%20b"), .blob(Data([0, 255])),
        .text(#"{"names":["match","Ö/\""],"shelf":3}"#), .text("a clever heroine"),
      ])
  }

  @Test
  func `integers, booleans and dates in every SQLDateForm have the documented column values`()
    throws
  {
    let date = Date(timeIntervalSince1970: 1_795_347_487.125)

    try #expect(SQLDateForm.text.value(of: date) == .text("2026-11-22 11:38:07.125"))
    try #expect(SQLDateForm.secondsSince1970.value(of: date) == .real(1_795_347_487.125))
    try #expect(SQLDateForm.millisecondsSince1970.value(of: date) == .integer(1_795_347_487_125))
    try #expect(Int64.min.sqlValue() == .integer(.min))
    try #expect(false.sqlValue() == .integer(0))
  }
}
