import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of statements on several stores that have tables with the same name.
@Suite struct AmbiguousTableTests {
  private func withTwoLibraries(_ body: ([QueriedStore]) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let stores = try ["north", "south wing"].map { name in
        let url = directory.appending(path: name)
        try QueriedLibrary.fill(url)
        return try QueriedLibrary.database(name, url)
      }
      let note = RecordingStore(texts: [("1", "late")])
      try body(stores + [try QueriedLibrary.store("note", note)])
    }
  }

  @Test(arguments: [
    "SELECT title FROM book", "SELECT count(*) FROM Book", "SELECT b.title FROM \"book\" AS b",
    "SELECT book.title FROM book", "SELECT note.value FROM note JOIN book ON book.id = note.name",
    "SELECT 1 WHERE EXISTS (SELECT * FROM book)",
    "WITH old AS (SELECT title FROM book) SELECT * FROM old",
    "SELECT title FROM north.loan JOIN book ON book.id = loan.book",
  ])
  func `a table that several stores have is refused without the name of a store`(sql: String) throws
  {
    try withTwoLibraries { stores in
      let error = QueriedLibrary.error(sql, stores)
      let plan = #expect(throws: StorageError.self) {
        try SQLiteQueryEngine().plan(of: sql, on: stores, limits: QueryLimits())
      }

      #expect(error?.code == .misuse)
      #expect(
        error?.message.contains("each of the stores \"north\", \"south wing\" has a table named")
          == true)
      #expect(error?.suggestion?.contains("`north.book` or `\"south wing\".book`") == true)
      #expect(plan?.code == .misuse)
    }
  }

  @Test(arguments: [
    ("SELECT count(*) FROM north.book", "3"),
    ("SELECT count(*) FROM north . \"BOOK\" AS book", "3"),
    ("SELECT book.title FROM north.book WHERE book.id = 1", "Emma"),
    ("SELECT count(*) FROM \"south wing\".book JOIN north.book AS b USING (id)", "3"),
    ("WITH book AS (SELECT 'Persuasion' AS title) SELECT title FROM book", "Persuasion"),
    ("WITH book(title) AS (SELECT 'Persuasion') SELECT count(*) FROM book", "1"),
    ("SELECT title AS book FROM north.old_book", "Emma"),
    ("SELECT value FROM note", "late"),
  ])
  func `a statement that names the stores of its tables runs`(sql: String, first: String) throws {
    try withTwoLibraries { stores in
      let row = try #require(try QueriedLibrary.rows(sql, stores).first)

      #expect(row == [.text(first)] || row == [.integer(Int64(first) ?? -1)])
    }
  }

  @Test func `a store of named values precedes tables with the same name`() throws {
    try withTwoLibraries { stores in
      let loans = RecordingStore(texts: [("1", "returned")])

      let named = try QueriedLibrary.store("loan", loans)
      let texts = try QueriedLibrary.texts("SELECT value FROM loan", stores + [named])

      #expect(texts == ["returned"])
    }
  }

  @Test func `a table that only one of the stores has needs no name of a store`() throws {
    try withTwoLibraries { stores in
      try OtherProgram(stores[1].url).run("CREATE TABLE shelf(name TEXT)")

      let rows = try QueriedLibrary.rows("SELECT * FROM shelf", stores)

      #expect(rows.isEmpty)
    }
  }
}
