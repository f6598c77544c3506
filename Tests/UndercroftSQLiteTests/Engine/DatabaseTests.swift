import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct DatabaseTests {
  private struct Refusal: Error, Equatable { let shelf: Int }

  private static func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE)")
    }
    return database
  }

  private static func count(_ database: Database) throws -> Int? {
    try database.read { db in try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] } }
  }

  @Test(.behaviour("A-FM-34"))
  func `a read returns the row that a write inserted`() throws {
    let database = try Self.library()
    let id = try database.write { db in
      let count = try db.execute("INSERT INTO book(title) VALUES (\("Emma"))")
      #expect(count == 1)
      return db.lastInsertedRowID
    }
    let titles = try database.read { db in
      try db.fetchAll("SELECT title FROM book WHERE id = \(id)") { row in try row["title"] as String
      }
    }

    #expect(titles == ["Emma"])
  }

  @Test(.behaviour("A-FM-35"))
  func `execute returns the number of rows changed by its own statement, without earlier changes`()
    throws
  {
    let database = try Self.library()
    try database.write { db in
      let counts = [
        try db.execute("INSERT INTO book(title) VALUES ('Emma'), ('Ulysses')"),
        try db.execute("CREATE TABLE reader(name TEXT)"),
        try db.execute("DELETE FROM book WHERE title = 'absent'"),
      ]
      #expect(counts == [2, 0, 0])
    }
  }

  @Test func `a single statement can be run on the database without a closure`() async throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE book(title TEXT)")
    #expect(try await database.async.execute("INSERT INTO book VALUES ('Dune'), ('Emma')") == 2)

    let titles: SQL = "SELECT title FROM book ORDER BY title"
    #expect(try database.fetchAll(titles) { row in try row[0] as String } == ["Dune", "Emma"])
    #expect(try database.fetchOne(titles) { row in try row[0] as String } == "Dune")
    #expect(try database.fetchValue("SELECT count(*) FROM book", as: Int.self) == 2)

    let later = try await database.async.fetchAll(titles) { row in try row[0] as String }
    #expect(later == ["Dune", "Emma"])
    #expect(try await database.async.fetchOne(titles) { row in try row[0] as String } == "Dune")
    #expect(try await database.async.fetchValue("SELECT count(*) FROM book", as: Int.self) == 2)
    #expect(throws: StorageError.self) {
      try database.fetchAll("DELETE FROM book RETURNING title") { row in try row[0] as String }
    }
  }

  @Test func `execute(_:) returns the number of changed rows as a discardable result`() throws {
    let database = try Self.library()
    let insert: SQL = "INSERT INTO book DEFAULT VALUES"
    let nothing: [() throws -> Void] = [
      { try database.execute(insert) },
      { try database.write { db in _ = try db.execute(insert) } },
    ]
    for write in nothing { try write() }
    try database.execute(insert)
    try database.write { db in try db.execute(insert) }
    try database.write { db in try db.transaction { db in try db.execute(insert) } }
    let inserted = try database.write { db in try db.execute(insert) }
    #expect(inserted == 1)

    let deleted = try database.write { db in
      try db.transaction { db in try db.execute("DELETE FROM book WHERE id > \(4)") }
    }
    #expect(deleted == 2)

    let changed = try database.execute("UPDATE book SET title = id")
    #expect(changed == 4)
  }

  @Test
  func `a statement executed on a Database is atomic and becomes part of a surrounding write`()
    throws
  {
    let database = try Self.library()
    #expect(throws: StorageError.self) {
      try database.execute("INSERT INTO book(title) VALUES ('Emma'), ('Emma')")
    }
    #expect(throws: Refusal(shelf: 1)) {
      try database.write { _ in
        try database.execute("INSERT INTO book(title) VALUES ('Emma')")
        throw Refusal(shelf: 1)
      }
    }
    #expect(try Self.count(database) == 0)
    let inRead = #expect(throws: StorageError.self) {
      try database.read { _ in try database.execute("DELETE FROM book") }
    }
    #expect(inRead?.code == .misuse)
  }

  @Test func `a write whose closure throws is rolled back and rethrows the error`() throws {
    let database = try Self.library()
    #expect(throws: Refusal(shelf: 3)) {
      try database.write { db in
        try db.execute("INSERT INTO book(title) VALUES ('Emma')")
        throw Refusal(shelf: 3)
      }
    }
    #expect(try Self.count(database) == 0)
    try database.write { db in try db.execute("INSERT INTO book(title) VALUES ('Emma')") }
    #expect(try Self.count(database) == 1)
  }

  @Test func `an error thrown by a row closure ends the query and reaches the caller`() throws {
    let database = try Self.library()
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Emma'), ('Ulysses')")
    }

    #expect(throws: Refusal(shelf: 1)) {
      try database.read { db in
        try db.fetchAll("SELECT title FROM book") { _ in throw Refusal(shelf: 1) }
      }
    }
    #expect(try Self.count(database) == 2)
  }

  @Test func `a query that fails after its first row throws`() throws {
    let database = try Self.library()
    let sql: SQL = "SELECT abs(n) FROM (SELECT 1 AS n UNION ALL SELECT \(Int64.min))"

    #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchAll(sql) { row in try row[0] as Int } }
    }
  }

  @Test func `a writing statement inside a read throws a misuse error`() throws {
    let database = try Self.library()
    let error = #expect(throws: StorageError.self) {
      try database.read { db in _ = try db.execute("INSERT INTO book(title) VALUES ('Emma')") }
    }
    #expect(error?.code == .misuse)
    #expect(try Self.count(database) == 0)
  }

  @Test func `a COMMIT statement inside a write throws a misuse error`() throws {
    let database = try Self.library()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("COMMIT") }
    }
    #expect(error?.code == .misuse)
    #expect(try Self.count(database) == 0)
  }

  @Test(.behaviour("A-FM-29"), .behaviour("A-FM-31"))
  func `a row closure can run the same SQL as the surrounding query`() throws {
    let database = try Self.library()
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES ('Emma'), ('Ulysses')")
    }
    let sql: SQL = "SELECT title FROM book ORDER BY title"
    let pairs = try database.read { db in
      try db.fetchAll(sql) { outer in
        let title: String = try outer[0]
        return try db.fetchAll(sql) { inner in try title + " " + inner[0] }
      }
    }

    #expect(
      pairs == [["Emma Emma", "Emma Ulysses"], ["Ulysses Emma", "Ulysses Ulysses"]])
  }

  @Test
  func `more statements than the cache can store can be run before and after a schema change`()
    throws
  {
    let database = try Self.library()
    for round in 0..<2 {
      try database.write { db in
        for number in 0..<200 {
          let sql: SQL = "SELECT \(number) AS \(identifier: "column \(number)"), * FROM book"
          _ = try db.fetchAll(sql) { row in row.count }
        }
        try db.execute("INSERT INTO book(title) VALUES (\("round \(round)"))")
        try db.execute("ALTER TABLE book ADD COLUMN \(identifier: "extra \(round)")")
      }
    }
    let counts = try database.read { db in
      try db.fetchAll("SELECT 0 AS \(identifier: "column 0"), * FROM book") { row in row.count }
    }

    #expect(counts == [5, 5])
  }

  @Test
  func `reading a closed database throws a misuse error, and closing a closed database succeeds`()
    throws
  {
    let database = try Self.library()
    try database.close()
    try database.close()

    let error = #expect(throws: StorageError.self) { try Self.count(database) }
    #expect(error?.code == .misuse)
  }

  @Test func `foreign keys are enforced by default`() throws {
    let database = try Self.library()
    try database.write { db in
      try db.execute("CREATE TABLE loan(book INTEGER REFERENCES book(id))")
    }

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("INSERT INTO loan VALUES (7)") }
    }
    #expect(error?.code == .constraintViolated)
  }

  @Test(.behaviour("A-WC-08"))
  func `files and folders of a new database are accessible to their owner only`() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "a/b")
      let url = folder.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let files = FileManager.default
      for (path, mode) in [
        (folder.path, 0o700), (url.path, 0o600), (url.path + "-wal", 0o600),
        (url.path + "-shm", 0o600),
      ] {
        #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
      }
    }
  }

  @Test func `opening a folder as a database throws an unavailable error`() throws {
    try withTemporaryDirectory { directory in
      let error = #expect(throws: StorageError.self) { try Database(at: directory) }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("the path names a folder") == true)
    }
  }

  @Test func `names that SQLite treats as special, such as :memory:, can be used as file names`()
    throws
  {
    try withTemporaryDirectory { directory in
      for name in [":memory:", "file:x?mode=memory", "50% ü #.db"] {
        let url = directory.appending(path: name)
        let database = try Database(at: url)
        try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
        #expect(FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
      }
    }
  }
}
