import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of statements on more databases than SQLite attaches, which are 10 by default.
@Suite struct NeededDatabasesTests {
  /// Calls `body` with the stores of twelve branches, from "branch1" to "branch12", whose databases
  /// have the same tables.
  private func withBranches(_ body: ([QueriedStore]) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let original = directory.appending(path: "library")
      try QueriedLibrary.fill(original)
      let stores = try (1...12).map { number in
        let url = directory.appending(path: "branch\(number)")
        try FileManager.default.copyItem(at: original, to: url)
        return try QueriedLibrary.database("branch\(number)", url)
      }
      try body(stores)
    }
  }

  /// Returns a statement with a row for each book of the first branches.
  private func booksOfBranches(_ count: Int) -> String {
    (1...count).map { "SELECT title FROM branch\($0).book" }.joined(separator: " UNION ALL ")
  }

  @Test(arguments: [
    ("SELECT title FROM branch12.book WHERE id = 1", "Emma"),
    ("SELECT title FROM \"Branch12\" . [BOOK] WHERE id = 1", "Emma"),
    ("SELECT book.title FROM branch12.book AS book WHERE book.id = 1", "Emma"),
    ("SELECT title FROM branch12.old_book", "Emma"),
    (
      "SELECT reader FROM branch2.loan JOIN branch12.book ON loan.book = book.id WHERE year < 1900",
      "Ada"
    ),
    ("SELECT name FROM pragma_table_info('book', 'branch12') LIMIT 1", "id"),
    ("PRAGMA branch12.integrity_check", "ok"), ("SELECT 'Emma'", "Emma"),
  ])
  func `a statement runs if it needs only a few of the databases`(sql: String, first: String) throws
  {
    try withBranches { stores in
      let texts = try QueriedLibrary.texts(sql, stores)

      #expect(texts == [first])
    }
  }

  @Test func `a table that only one of the databases has needs no name of a store`() throws {
    try withBranches { stores in
      try OtherProgram(stores[11].url).run(
        "CREATE TABLE shelf(name TEXT); INSERT INTO shelf VALUES ('Novels')")

      let texts = try QueriedLibrary.texts("SELECT name FROM shelf", stores)

      #expect(texts == ["Novels"])
    }
  }

  @Test func `a column with the name of a table in several databases is not ambiguous`() throws {
    try withBranches { stores in
      for store in stores.prefix(2) { try OtherProgram(store.url).run("CREATE TABLE title(id)") }

      let texts = try QueriedLibrary.texts(
        "SELECT title FROM branch12.book ORDER BY title", stores)

      #expect(texts == ["Dune", "Emma", "Ulysses"])
    }
  }

  @Test func `a store of named values precedes tables with the same name`() throws {
    try withBranches { stores in
      let loans = try QueriedLibrary.store("loan", RecordingStore(texts: [("1", "returned")]))

      let texts = try QueriedLibrary.texts("SELECT value FROM loan", stores + [loans])

      #expect(texts == ["returned"])
    }
  }

  @Test func `a table that all databases have is refused without the name of a store`() throws {
    try withBranches { stores in
      let sql = "SELECT title FROM book"

      let error = QueriedLibrary.error(sql, stores)
      let plan = #expect(throws: StorageError.self) {
        try SQLiteQueryEngine().plan(of: sql, on: stores, limits: QueryLimits())
      }

      for error in [error, plan] {
        #expect(error?.code == .misuse)
        #expect(
          error?.message.contains("\"branch10\" and 2 more has a table named \"book\"") == true,
          "\(error as Any)")
        #expect(error?.suggestion?.contains("such as `branch1.book` or ") == true)
        #expect(error?.suggestion?.contains("branch11") == false)
      }
    }
  }

  @Test func `a table is ambiguous even if the statement names one of the stores that have it`()
    throws
  {
    try withBranches { stores in
      let error = QueriedLibrary.error(
        "SELECT title FROM branch12.loan JOIN book ON book.id = loan.book", stores)

      #expect(error?.message.contains("has a table named \"book\"") == true, "\(error as Any)")
    }
  }

  @Test func `a statement can name as many databases as SQLite attaches, and no more`() throws {
    try withBranches { stores in
      let rows = try QueriedLibrary.rows(booksOfBranches(10), stores)
      let error = QueriedLibrary.error(booksOfBranches(11), stores)

      #expect(rows.count == 30)
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("the statement needs 11 databases") == true)
      #expect(error?.message.contains("at most 10 databases") == true)
      #expect(error?.suggestion?.contains("query fewer stores") == true)
    }
  }

  @Test(arguments: [
    "PRAGMA table_list", "PRAGMA quick_check", "SELECT name FROM pragma_table_list",
    "SELECT name FROM PRAGMA_DATABASE_LIST",
  ])
  func `a statement that reads all databases is refused instead of reading some of them`(
    sql: String
  ) throws {
    try withBranches { stores in
      let error = QueriedLibrary.error(sql, stores)

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("needs 12 databases") == true, "\(error as Any)")
    }
  }

  @Test(arguments: [
    ("SELECT * FROM bok", "did you mean `branch1.book`?"),
    ("SELECT * FROM branch12.bok", "did you mean `branch12.book`?"),
    ("SELECT * FROM brunch12.book", "did you mean `branch12.book`?"),
  ])
  func `the error of an unknown table suggests tables of all databases`(
    sql: String, suggestion: String
  ) throws {
    try withBranches { stores in
      let error = QueriedLibrary.error(sql, stores)

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("no such table: ") == true, "\(error as Any)")
      #expect(error?.suggestion?.contains(suggestion) == true, "\(error as Any)")
      #expect(error?.suggestion?.contains("the tables are ") == true)
    }
  }

  @Test func `the error of an unknown table does not suggest the tables of a full-text index`()
    throws
  {
    try withBranches { stores in
      try OtherProgram(stores[11].url).run("CREATE VIRTUAL TABLE page USING fts5(body)")

      let part = QueriedLibrary.error("SELECT * FROM page_dat", stores)
      let table = QueriedLibrary.error("SELECT * FROM pages", stores)

      #expect(part?.suggestion?.contains("page_data") == false, "\(part as Any)")
      #expect(table?.suggestion?.contains("did you mean `branch12.page`?") == true)
    }
  }

  @Test func `the error of an unknown column suggests the columns of the named database`() throws {
    try withBranches { stores in
      let error = QueriedLibrary.error("SELECT titel FROM branch12.book", stores)

      #expect(error?.suggestion?.contains("did you mean `title`?") == true, "\(error as Any)")
      #expect(error?.suggestion?.contains("the columns of `branch12.book` are `id`") == true)
      #expect(error?.suggestion?.contains("branch1.book") == false)
    }
  }

  @Test func `a plan suggests an index in the database that the statement needs`() throws {
    try withBranches { stores in
      let plan = try SQLiteQueryEngine().plan(
        of: "SELECT title FROM branch12.book WHERE year = 1815", on: stores, limits: QueryLimits())

      #expect(
        plan.suggestedIndexes == [
          "CREATE INDEX \"branch12\".\"book_by_year\" ON \"book\"(\"year\")"
        ])
    }
  }

  @Test func `a database whose tables cannot be listed is named in the error`() throws {
    try withBranches { stores in
      try Data(repeating: 0xff, count: 8_192).write(to: stores[4].url)

      let error = QueriedLibrary.error("SELECT title FROM branch12.book", stores)

      #expect(error?.code == .corrupted, "\(error as Any)")
      #expect(error?.message.contains("the tables of the store \"branch5\"") == true)
    }
  }
}
