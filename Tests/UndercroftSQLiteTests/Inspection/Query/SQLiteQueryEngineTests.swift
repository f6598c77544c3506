import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

@Suite struct SQLiteQueryEngineTests {
  private let notes = RecordingStore(texts: [("1", "returned late"), ("3", "damaged cover")])

  /// Returns the contents and modification dates of a folder and of all files in it.
  private func state(of directory: URL) throws -> [String: String] {
    var state: [String: String] = [:]
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    for name in names + ["."] {
      let path = directory.path + "/" + name
      let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      let bytes = name == "." ? Data() : try Data(contentsOf: URL(filePath: path))
      state[name] = "\(date?.timeIntervalSince1970 ?? 0) \(bytes.hashValue)"
    }
    return state
  }

  @Test func `a statement joins a store of named values with a table of a database`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let stores = [
        try QueriedLibrary.database("library", url), try QueriedLibrary.store("note", notes),
      ]

      let rows = try QueriedLibrary.rows(
        """
        SELECT book.title, note.value FROM library.book JOIN note ON note.name = book.id
        ORDER BY title
        """, stores)

      #expect(
        rows == [
          [.text("Emma"), .text("returned late")], [.text("Ulysses"), .text("damaged cover")],
        ])
    }
  }

  @Test func `the tables of several databases are named together with their stores`() throws {
    try withTemporaryDirectory { directory in
      let stores = try ["north", "south wing"].map { name in
        let url = directory.appending(path: name)
        try QueriedLibrary.fill(url)
        return try QueriedLibrary.database(name, url)
      }

      let rows = try QueriedLibrary.rows(
        "SELECT count(*) FROM north.book JOIN \"south wing\".book AS other USING (title)", stores)

      #expect(rows == [[.integer(3)]])
    }
  }

  @Test(arguments: [
    "ALTER TABLE book ADD COLUMN tag TEXT AS (json_extract(title, '$.tag'))",
    "CREATE INDEX book_tag ON book(json_extract('{\"tag\": 1}', '$.tag'))",
    """
    CREATE VIRTUAL TABLE page USING fts5(body);
    CREATE VIEW emma AS SELECT body FROM page WHERE page MATCH 'emma'
    """,
  ])
  func `a statement reads a database whose schema uses functions and modules of SQLite`(
    sql: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      try OtherProgram(url).run(sql)

      let titles = try QueriedLibrary.texts(
        "SELECT title FROM book ORDER BY id LIMIT 1", [QueriedLibrary.database("library", url)])

      #expect(titles == ["Emma"])
    }
  }

  @Test(arguments: ["book", "main.book", "library.book"])
  func `a table of the only database can be named without the store`(table: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)

      let texts = try QueriedLibrary.texts(
        "SELECT title FROM \(table) ORDER BY title", [QueriedLibrary.database("library", url)])

      #expect(texts == ["Dune", "Emma", "Ulysses"])
    }
  }

  @Test func `the schema of the only database is readable`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let stores = [try QueriedLibrary.database("main", url)]

      let names = try QueriedLibrary.texts("SELECT name FROM sqlite_schema ORDER BY name", stores)

      #expect(names == ["book", "loan", "loan_by_reader", "old_book"])
    }
  }

  @Test func `a keyed SQLite store is a table of names, values and sizes`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "store")
      let backend = try SQLiteBackend(at: url)
      try backend.apply([.set("loan/1", Data("Ada".utf8))])

      let rows = try QueriedLibrary.rows(
        "SELECT * FROM store", [QueriedLibrary.database("store", url)])

      #expect(rows == [[.text("loan/1"), .text("Ada"), .integer(3)]])
    }
  }

  @Test func `the columns are passed before the rows, even if there is no row`() throws {
    let stores = [try QueriedLibrary.store("note", notes)]
    var columns: [String] = []
    var rowCount = 0

    try SQLiteQueryEngine().run(
      "SELECT name AS book, value FROM note WHERE name = 'x'", on: stores, limits: QueryLimits(),
      columns: { columns = $0 }
    ) { _ in
      rowCount += 1
      return true
    }

    #expect(columns == ["book", "value"])
    #expect(rowCount == 0)
  }

  @Test func `the statement ends when the closure needs no more rows`() throws {
    let stores = [try QueriedLibrary.store("note", notes)]
    var names: [InspectedValue] = []

    try SQLiteQueryEngine().run(
      "SELECT name, value FROM note", on: stores, limits: QueryLimits(), columns: { _ in }
    ) { row in
      names += row.prefix(1)
      return false
    }

    #expect(names == [.text("1")])
    #expect(notes.reads == ["1"])
  }

  @Test func `an error that a closure throws is thrown unchanged`() throws {
    let stores = [try QueriedLibrary.store("note", notes)]

    #expect(throws: CancellationError.self) {
      try SQLiteQueryEngine().run(
        "SELECT * FROM note", on: stores, limits: QueryLimits(), columns: { _ in }
      ) { _ in throw CancellationError() }
    }
  }

  @Test func `values keep their types, and text that is not UTF-8 becomes bytes`() throws {
    let rows = try QueriedLibrary.rows(
      "SELECT NULL, 9223372036854775807, 1.5, 'Emma', x'00ff', CAST(x'ff41' AS TEXT)", [])

    #expect(
      rows == [
        [
          .null, .integer(.max), .real(1.5), .text("Emma"), .bytes(Data([0, 0xff])),
          .bytes(Data([0xff, 0x41])),
        ]
      ])
  }

  @Test func `a query of a closed database changes nothing in its folder`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library 100%?#")
      try QueriedLibrary.fill(url)
      let before = try state(of: directory)

      let rows = try QueriedLibrary.rows(
        "SELECT count(*) FROM book", [QueriedLibrary.database("library", url)])

      #expect(rows == [[.integer(3)]])
      #expect(try state(of: directory) == before)
    }
  }

  @Test func `a query reads rows of the write-ahead log and changes nothing in the folder`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("INSERT INTO book VALUES (4, 'Ulysses', 1922)")
      }
      let stores = [
        try QueriedLibrary.database("library", url), try QueriedLibrary.store("note", notes),
      ]
      let before = try state(of: directory)

      let rows = try QueriedLibrary.rows("SELECT count(*) FROM library.book", stores)

      #expect(rows == [[.integer(4)]])
      #expect(try state(of: directory) == before)
      try database.close()
    }
  }

  @Test func `a query reads a copy of a database with a rollback journal`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      try Data().write(to: directory.appending(path: "library-journal"))
      let before = try state(of: directory)

      let rows = try QueriedLibrary.rows(
        "SELECT count(*) FROM book", [QueriedLibrary.database("library", url)])

      #expect(rows == [[.integer(3)]])
      #expect(try state(of: directory) == before)
    }
  }

  @Test func `a query throws if another connection changes the file during the query`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let stores = [try QueriedLibrary.database("library", url)]

      let error = #expect(throws: StorageError.self) {
        try SQLiteQueryEngine().run(
          "SELECT * FROM book", on: stores, limits: QueryLimits(), columns: { _ in }
        ) { _ in
          let database = try Database(at: url)
          try database.write { db in try db.execute("DELETE FROM loan") }
          try database.close()
          return false
        }
      }

      #expect(error?.code == .busy)
    }
  }

  @Test func `a database in UTF-16 can be queried alone, and the error explains why not together`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try SQLiteShell.run(
        "PRAGMA encoding = 'UTF-16'; CREATE TABLE book(title); INSERT INTO book VALUES ('Émile')",
        on: url)
      let library = try QueriedLibrary.database("library", url)

      let texts = try QueriedLibrary.texts("SELECT title FROM library.book", [library])
      let error = QueriedLibrary.error(
        "SELECT 1", [library, try QueriedLibrary.store("note", notes)])

      #expect(texts == ["Émile"])
      #expect(error?.message.contains("same text encoding") == true)
    }
  }

  @Test func `a query reads full-text tables and R-trees`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try database.write { db in
        try db.executeScript(
          """
          CREATE VIRTUAL TABLE page USING fts5(body, tokenize = 'undercroft_cjk');
          CREATE VIRTUAL TABLE shelf USING rtree(id, low, high);
          INSERT INTO page VALUES ('the whale'), ('the sea');
          INSERT INTO shelf VALUES (7, 1, 2);
          """)
      }
      try database.close()
      let stores = [try QueriedLibrary.database("library", url)]

      let pages = try QueriedLibrary.texts("SELECT body FROM page('whale')", stores)
      let shelves = try QueriedLibrary.rows("SELECT id FROM shelf WHERE low < 2", stores)

      #expect(pages == ["the whale"])
      #expect(shelves == [[.integer(7)]])
    }
  }

  @Test func `two stores whose names differ only in case are refused`() throws {
    let stores = [
      try QueriedLibrary.store("note", notes), try QueriedLibrary.store("Note", notes),
    ]

    let error = QueriedLibrary.error("SELECT 1", stores)

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("\"Note\"") == true)
  }
}
