import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

@Suite struct SQLiteInspectionTests {
  /// Returns the names, contents and modification dates of a folder and of all files in it.
  private func look(_ directory: URL) throws -> [String: String] {
    var found: [String: String] = [:]
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    for name in names + ["."] {
      let path = directory.path + "/" + name
      let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      let bytes = name == "." ? Data() : try Data(contentsOf: URL(filePath: path))
      found[name] = "\(date?.timeIntervalSince1970 ?? 0) \(bytes.hashValue)"
    }
    return found
  }

  private func facts(_ store: any Inspectable) throws -> [String: String] {
    let facts = try store.inspect().facts.map { ($0.name, $0.text) }
    return Dictionary(facts) { first, _ in first }
  }

  @Test
  func `inspecting a closed database returns its tables and properties and changes no file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("CREATE TABLE \(identifier: "odd \"name\"")(x)")
        try db.execute("INSERT INTO book VALUES ('Emma'), ('Ulysses')")
        try db.execute("PRAGMA user_version = 12")
      }
      try database.close()
      let before = try look(directory)
      #expect(before.keys.sorted() == [".", "library"])
      #expect(StoreInspectorFactory.sqlite.recognises(url))

      let store = try StoreInspectorFactory.sqlite.open(url, .init())
      let entries = try store.entries(withPrefix: "")
      #expect(
        entries == [
          .init(name: "book", byteCount: nil), .init(name: "odd \"name\"", byteCount: nil),
        ])
      #expect(try store.bytes(of: "book") == Data("CREATE TABLE book(title TEXT)".utf8))
      #expect(try store.bytes(of: "absent") == nil)

      let facts = try facts(store)
      #expect(facts["table book"] == "2 rows")
      #expect(facts["table odd \"name\""] == "0 rows")
      #expect(facts["journal mode"] == "write-ahead log")
      #expect(facts["page size"] == "4096")
      let pages = try #require(try store.briefReport().pages)
      #expect(pages.size == 4_096)
      #expect(facts["pages"] == "\(pages.count)")
      #expect(facts["free pages"] == "\(pages.freeCount)")
      #expect(facts["user version"] == "12")
      #expect(try look(directory) == before)
    }
  }

  @Test
  func `inspection shows entries stored only in the write-ahead log, without changing a file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let copy = directory.appending(path: "left")
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      let backend = try SQLiteBackend(at: url)
      try backend.apply([.set("loan/1", Data("Emma".utf8))])
      let store = try StoreInspectorFactory.sqlite.open(url, .init())
      #expect(try store.entries(withPrefix: "") == [.init(name: "loan/1", byteCount: 4)])
      try backend.apply([.set("loan/2", Data())])
      #expect(try store.entries(withPrefix: "loan/2") == [.init(name: "loan/2", byteCount: 0)])
      #expect(try store.inspect().format == "sqlite keyed store 1")

      // What a killed application leaves: a database file and its log, without the shared-memory
      // index.
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: url.path + suffix, toPath: copy.path + "/library" + suffix)
      }
      let before = try look(copy)
      let left = try StoreInspectorFactory.sqlite.open(copy.appending(path: "library"), .init())
      #expect(try left.entries(withPrefix: "").map(\.name) == ["loan/1", "loan/2"])
      #expect(try left.bytes(of: "loan/1") == Data("Emma".utf8))
      #expect(try left.inspect().entryCount == 2)
      // Counting the entries would read the whole store at each opening.
      #expect(try left.briefReport().entryCount == nil)
      #expect(try look(copy) == before)
    }
  }

  @Test func `inspecting a database does not release the locks of the application`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let first = try Database(at: url)
      let second = try Database(at: url, .init(lockTimeout: .milliseconds(20)))
      try first.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        #expect(StoreInspectorFactory.sqlite.recognises(url))
        _ = try StoreInspectorFactory.sqlite.open(url, .init()).inspect()
        #expect(throws: StorageError.self) { try second.write { _ in } }
      }
    }
  }

  @Test func `inspection reads a database in rollback journal mode without changing a file`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try database.close()
      // The two version bytes of the header define the journal mode.
      var bytes = try Data(contentsOf: url)
      bytes[18] = 1
      bytes[19] = 1
      try bytes.write(to: url)
      let before = try look(directory)
      let store = try StoreInspectorFactory.sqlite.open(url, .init())

      #expect(try facts(store)["journal mode"] == "rollback")
      #expect(try store.entries(withPrefix: "").map(\.name) == ["book"])
      #expect(try look(directory) == before)
    }
  }

  @Test
  func `the SQLite inspector does not recognise text files, folders or missing files as databases`()
    throws
  {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "list.sqlite")
      try Data("SQLite format 4".utf8).write(to: file)
      let absent = directory.appending(path: "absent")
      for url in [file, directory, absent] {
        #expect(!StoreInspectorFactory.sqlite.recognises(url))
      }

      #expect(throws: StorageError.self) { try StoreInspectorFactory.sqlite.open(absent, .init()) }
      #expect(!FileManager.default.fileExists(atPath: absent.path))
    }
  }

  @Test(arguments: [true, false])
  func `inspection returns tables and rows with their stored values`(isOpen: Bool) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let backend = try SQLiteBackend(at: url)
      try backend.database.write { db in
        try db.execute("CREATE TABLE book(title TEXT, pages INTEGER, weight REAL, cover BLOB)")
        try db.execute("CREATE VIEW heavy AS SELECT title FROM book WHERE weight > 1")
        try db.execute(
          "INSERT INTO book VALUES ('Dune', 412, 1.5, x'00ff'), (NULL, 9223372036854775807, -0.25, x'')"
        )
        try db.execute("INSERT INTO book VALUES (CAST(x'ff41' AS TEXT), 1, 2, NULL)")
      }
      let store: any TableInspectable
      if isOpen {
        store = backend
      } else {
        let opened = try StoreInspectorFactory.sqlite.open(url, .init())
        store = try #require(opened as? any TableInspectable)
      }
      let before = try look(directory)
      let tables = try store.tables()
      #expect(tables.map(\.name) == ["book", "heavy"])
      #expect(tables.map(\.rowCount) == [3, 2])
      #expect(tables.first?.columns == ["title", "pages", "weight", "cover"])
      #expect(tables.first?.definition.hasPrefix("CREATE TABLE book") == true)

      let rows = try store.rows(of: "BOOK", offset: 1, limit: 5)
      #expect(rows.columns == ["title", "pages", "weight", "cover"])
      #expect(
        rows.rows == [
          [.null, .integer(.max), .real(-0.25), .bytes(Data())],
          [.bytes(Data([0xff, 0x41])), .integer(1), .real(2), .null],
        ])
      #expect(try store.rows(of: "heavy", offset: 0, limit: 1).rows == [[.text("Dune")]])
      #expect(try store.rows(of: "book", offset: 9, limit: -1).rows == [])
      let error = #expect(throws: StorageError.self) {
        try store.rows(of: "nothing", offset: 0, limit: 1)
      }
      #expect(error?.code == .invalidKey)
      if !isOpen { #expect(try look(directory) == before) }
    }
  }

  private static let constrainedTables: [(SQL, [String], [String])] = [
    ("CREATE TABLE book(id INTEGER PRIMARY KEY, isbn UNIQUE, title NOT NULL)", ["isbn"], ["isbn"]),
    ("CREATE TABLE book(id TEXT PRIMARY KEY, shelf AS (id) UNIQUE)", ["shelf"], ["id", "shelf"]),
    ("CREATE TABLE book(id TEXT PRIMARY KEY, isbn) WITHOUT ROWID", [], ["isbn"]),
    ("CREATE TABLE book(isbn NOT NULL, shelf NOT NULL, UNIQUE(isbn, shelf))", [], []),
  ]

  @Test(arguments: constrainedTables)
  func `inspection returns the columns that are unique, and those that can be NULL`(
    sql: SQL, unique: [String], nullable: [String]
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try database.write { db in try db.execute(sql) }
      try database.close()
      let store = try StoreInspectorFactory.sqlite.open(url, .init()) as? any TableInspectable

      let table = try #require(try store?.tables().first)

      #expect(table.uniqueColumns == unique)
      #expect(table.nullableColumns == nullable)
    }
  }

  @Test func `inspection through a symbolic link shows rows stored only in the write-ahead log`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let link = directory.appending(path: "link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let database = try Database(at: url)
      try Library.fill(database)
      let store = try #require(
        try StoreInspectorFactory.sqlite.open(link, .init()) as? any TableInspectable)
      #expect(try store.rows(of: "book", offset: 0, limit: 10).rows.count == 3)
      try database.write { db in try db.execute("DELETE FROM book WHERE id = 1") }
      #expect(try store.rows(of: "book", offset: 0, limit: 10).rows.count == 2)
      #expect(try store.inspect().byteCount == database.files?.byteCount())
    }
  }

  @Test(.heavy)
  func `inspecting a view throws if no row arrives in time or if the rows' values are too large`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("INSERT INTO book VALUES ('Emma')")
        for (view, query) in [
          ("shelf", "SELECT i FROM n"), ("worth", "SELECT sum(i) FROM n"),
          ("weight", "SELECT zeroblob(500000000) FROM n"),
          ("load", "SELECT zeroblob(16000000) FROM n"),
        ] {
          try db.execute(
            "CREATE VIEW \(identifier: view) AS \(SQL(unchecked: endless)) \(SQL(unchecked: query))"
          )
        }
      }
      let opened = try StoreInspectorFactory.sqlite.open(url, .init())
      let store = try #require(opened as? any TableInspectable)

      let counts = try store.tables().map { "\($0.name) \($0.rowCount.map(String.init) ?? "?")" }
      #expect(counts == ["book 1", "load ?", "shelf ?", "weight ?", "worth ?"])
      #expect(try store.rows(of: "shelf", offset: 3, limit: 2).rows.count == 2)

      for (view, code) in [
        ("worth", StorageError.Code.interrupted), ("weight", .tooLarge), ("load", .tooLarge),
      ] {
        let error = #expect(throws: StorageError.self) {
          try store.rows(of: view, offset: 0, limit: 1_000)
        }
        #expect(error?.code == code, "\(view)")
      }
      #expect(try store.rows(of: "book", offset: 0, limit: 9).rows == [[.text("Emma")]])
    }
  }

  @Test
  func `inspection shows consistent tables while a database is repeatedly written and closed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try Library.fill(database)
      try database.close()
      let written = inBackground {
        for books in 1...20 {
          let database = try Database(at: url)
          try database.write { db in
            try db.execute("DELETE FROM loan")
            try db.execute("DELETE FROM book")
            try Library.add(books * 7, in: db)
            try db.execute("INSERT INTO loan(book) SELECT id FROM book")
          }
          try database.close()
        }
      }
      let isDone = inBackground { try written.wait()?.get() }
      var looks = 0
      while looks < 20 || !isDone.isFulfilled {
        do {
          let store = try StoreInspectorFactory.sqlite.open(url, .init())
          let counts = try (store as? any TableInspectable)?.tables().map(\.rowCount)
          let isConsistent = counts?.first == counts?.last || counts == [3, 0]
          #expect(isConsistent && counts?.contains(nil) == false, "\(counts as Any)")
          looks += 1
        } catch let error as StorageError where error.code == .busy {
          // The database was busy, and the inspection threw an error.
          continue
        }
      }
      try isDone.wait()?.get()
    }
  }
}
