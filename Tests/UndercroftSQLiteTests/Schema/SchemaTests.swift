import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SchemaTests {
  private struct Refusal: Error {}

  private static func library() throws -> Database {
    let database = try Database.inMemory()
    try Library.fill(database)
    return database
  }

  @Test(.behaviour("A-FM-48"))
  func `changes of user version and application id are rolled back with their transaction`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(at: url)
      let fresh = try database.read { db in [try db.userVersion(), try db.applicationID()] }
      #expect(fresh == [0, 0])

      for number in [Int32.max, .min, -1, 7] {
        try database.write { db in
          try db.setUserVersion(number)
          try db.setApplicationID(number)
        }
        let stored = try Database(at: url).read { db in
          [try db.userVersion(), try db.applicationID()]
        }
        #expect(stored == [number, number])
      }
      #expect(throws: Refusal.self) {
        try database.write { db in
          try db.setUserVersion(8)
          try db.setApplicationID(8)
          throw Refusal()
        }
      }

      for isVersion in [true, false] {
        let error = #expect(throws: StorageError.self) {
          try database.read { db in
            try isVersion ? db.setUserVersion(9) : db.setApplicationID(9)
          }
        }
        #expect(error?.code == .misuse)
      }
      let stored = try database.read { db in [try db.userVersion(), try db.applicationID()] }
      #expect(stored == [7, 7])
    }
  }

  @Test(.behaviour("A-FM-49"))
  func `tableExists and columnExists find tables and columns by name, ignoring case`() throws {
    try Self.library().write { db in
      try db.execute("CREATE VIEW lent AS SELECT title FROM book JOIN loan ON book = id")
      try db.execute("CREATE TABLE \(identifier: #"od"d 't;able"#)(\(identifier: "a b"))")
      for name in ["book", "BOOK", "lent", #"od"d 't;able"#] {
        #expect(try db.tableExists(name))
      }
      for name in ["", "absent", "loan_by_book", "boo", "book\0", "%", "book' OR 1 --"] {
        #expect(try !db.tableExists(name))
        #expect(try !db.columnExists("title", of: name))
        let error = #expect(throws: StorageError.self) { try db.columns(of: name) }
        #expect(error?.code == .misuse)
      }
      #expect(try db.columnExists("Title", of: "Book"))
      #expect(try db.columnExists("title", of: "lent"))
      #expect(try db.columnExists("a b", of: #"od"d 't;able"#))

      for name in ["", "tit", "rowid", "title\0"] {
        #expect(try !db.columnExists(name, of: "book"))
      }
      let error = #expect(throws: StorageError.self) { try db.tableExists("book", in: "absent") }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("\"main\"") == true)
    }
  }

  @Test(.behaviour("A-FM-49"))
  func `columns(of:) returns the name, type, constraints and default value of each column`() throws
  {
    try Self.library().write { db in
      try db.execute("ALTER TABLE book ADD COLUMN length INT AS (length(title))")
      let book = try db.columns(of: "book")
      #expect(book.map(\.name) == ["id", "title", "length"])
      #expect(book.map(\.type).prefix(2) == ["INTEGER", "TEXT"])
      #expect(book.map(\.isRequired) == [false, true, false])
      #expect(book.map(\.primaryKeyPosition) == [1, 0, 0])
      #expect(book.map(\.isGenerated) == [false, false, true])
      let loan = try db.columns(of: "loan")
      #expect(loan.map(\.defaultValue) == [nil, "'nobody'"])
    }
  }

  @Test(.behaviour("A-FM-49"))
  func `the schema lists its objects in order of creation`() throws {
    let schema = try Self.library().read { db in try db.schema() }
    #expect(schema.map(\.kind) == [.table, .table, .index])
    #expect(schema.map(\.name) == ["book", "loan", "loan_by_book"])
    #expect(schema.map(\.table) == ["book", "loan", "loan"])
    #expect(schema.last?.sql == "CREATE INDEX loan_by_book ON loan(book)")
  }

  @Test(.behaviour("A-FM-49"))
  func `validate(_:) accepts valid SQL, throws for invalid SQL and runs no statement`() throws {
    try Self.library().read { db in
      try db.validate("SELECT title FROM book WHERE id = \(7)")
      for sql: SQL in [
        "SELEC title FROM book", "SELECT author FROM book", "SELECT 1 FROM absent", "",
        "SELECT 1;;2",
        "SELECT 1; SELECT 2", "SELECT ?", "SELECT \(Double.nan)", SQL(unchecked: "SELECT '\0'"),
      ] where sql.text != "SELECT ?" {
        #expect(throws: StorageError.self) { try db.validate(sql) }
      }
    }
    let database = try Self.library()
    try database.write { db in try db.validate("DELETE FROM book") }

    #expect(try Library.count(database) == 3)
  }
}
