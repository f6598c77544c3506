import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLiteErrorTests {
  @Test(.behaviour("A-FM-36"))
  func `an error carries codes, message and SQL, and no bound value`() throws {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT UNIQUE)") }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        for _ in 0..<2 { try db.execute("INSERT INTO book VALUES (\("my secret"))") }
      }
    }
    let cause = error?.underlying as? SQLiteError
    #expect(error?.code == .constraintViolated)
    #expect(error?.backend == "sqlite")
    #expect(cause?.code == 19)
    #expect(cause?.extendedCode == 2067)
    #expect(cause?.message == "UNIQUE constraint failed: book.title")
    #expect(cause?.sql == "INSERT INTO book VALUES (?)")
    #expect("\(error as Any) \(cause as Any)".contains("secret") == false)
  }

  @Test func `a message that would quote a bound value is withheld`() throws {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE VIRTUAL TABLE book USING fts5(title)") }
    let error = #expect(throws: StorageError.self) {
      try database.read { db in
        try db.query("SELECT * FROM book WHERE book MATCH \("secret:word")") { _ in 1 }
      }
    }
    #expect("\(error as Any)".contains("secret") == false)
  }

  @Test func `a full database is told and nothing is kept`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE cover(image BLOB)")
      _ = try db.query("PRAGMA max_page_count = 10") { _ in }
    }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute("INSERT INTO cover VALUES (\(Data([1])))")
        try db.execute("INSERT INTO cover VALUES (\(Data(count: 1_000_000)))")
      }
    }
    #expect(error?.code == .full)
    #expect(try database.read { db in try db.query("SELECT 1 FROM cover") { _ in 1 } } == [])
  }

  @Test func `writing the table that a query is reading is told`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      try db.execute("INSERT INTO book VALUES ('Emma')")
    }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.forEach("SELECT title FROM book") { _ in try db.execute("DROP TABLE book") }
      }
    }
    #expect(error?.code == .locked)
  }

  @Test(arguments: [true, false])
  func `an error tells the values of its statement only if asked to`(showsArguments: Bool) throws {
    var options = DatabaseOptions()
    options.showsArguments = showsArguments
    let database = try Database.inMemory(options)
    try database.write { db in _ = try db.execute("CREATE TABLE book(title TEXT UNIQUE)") }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        for _ in 0..<2 { try db.execute("INSERT INTO book VALUES (\("Dune"))") }
      }
    }
    let cause = try #require(error?.underlying as? SQLiteError)
    #expect(cause.sql == "INSERT INTO book VALUES (?)")
    #expect(cause.expandedSQL == (showsArguments ? "INSERT INTO book VALUES ('Dune')" : nil))
    #expect(error?.message.contains("Dune") == false)
  }
}
