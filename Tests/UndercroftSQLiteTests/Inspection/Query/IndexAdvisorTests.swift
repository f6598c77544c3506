import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of query plans and the indexes that they suggest.
@Suite struct IndexAdvisorTests {
  private func plan(
    _ sql: String, _ schema: String = "", withNotes: Bool = false
  ) throws -> QueryPlan {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let database = try Database(at: url)
      try database.write { db in try db.executeScript(SQL(unchecked: schema)) }
      try database.close()
      var stores = [try QueriedLibrary.database("library", url)]
      if withNotes {
        stores.append(try QueriedLibrary.store("note", RecordingStore(texts: [("1", "late")])))
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      let plan = try SQLiteQueryEngine().plan(of: sql, on: stores, limits: QueryLimits())
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == names)
      return plan
    }
  }

  @Test func `a plan contains the steps of subqueries at a greater depth`() throws {
    let plan = try plan(
      "SELECT * FROM book WHERE id IN (SELECT book FROM loan WHERE reader = 'Ada')")

    #expect(plan.steps.map(\.depth) == [0, 0, 1])
    #expect(plan.steps.first?.text.hasPrefix("SEARCH book USING INTEGER PRIMARY KEY") == true)
    #expect(plan.steps.last?.text == "SEARCH loan USING INDEX loan_by_reader (reader=?)")
  }

  @Test func `a statement that finds its rows by indexes needs no further index`() throws {
    let plan = try plan(
      "SELECT title FROM book JOIN loan ON loan.book = book.id WHERE reader = 'Ada'")

    #expect(plan.suggestedIndexes == [])
  }

  @Test(arguments: ["book", "library.book"])
  func `a condition on a column without an index suggests the index`(table: String) throws {
    let plan = try plan("SELECT year FROM \(table) WHERE title = 'Emma' AND year > 1800")

    #expect(plan.steps.map(\.text) == ["SCAN \(table)"])
    #expect(plan.suggestedIndexes == ["CREATE INDEX \"book_by_title\" ON \"book\"(\"title\")"])
  }

  @Test func `a statement that orders the rows of a table suggests the index of the order`() throws
  {
    let plan = try plan("SELECT * FROM book ORDER BY year")

    #expect(plan.suggestedIndexes == ["CREATE INDEX \"book_by_year\" ON \"book\"(\"year\")"])
  }

  @Test func `a join without an index suggests the index of the joined column`() throws {
    let plan = try plan(
      "SELECT b.title, l.reader FROM book AS b LEFT JOIN loan AS l ON l.book = b.id")

    #expect(plan.steps.last?.text.contains("AUTOMATIC") == true)
    #expect(plan.suggestedIndexes == ["CREATE INDEX \"loan_by_book\" ON \"loan\"(\"book\")"])
  }

  @Test func `a join on two columns suggests one index of both`() throws {
    let plan = try plan(
      """
      SELECT b.title FROM book AS b LEFT JOIN copy AS c ON c.title = b.title AND c.year = b.year
      """, "CREATE TABLE copy(title TEXT, year INTEGER, shelf TEXT)")

    #expect(
      plan.suggestedIndexes.contains { $0.contains("ON \"copy\"(\"title\", \"year\")") }
        || plan.suggestedIndexes.contains { $0.contains("ON \"copy\"(\"year\", \"title\")") })
  }

  @Test func `two conditions with OR suggest an index for each condition`() throws {
    let plan = try plan("SELECT * FROM book WHERE title = 'Emma' OR year = 1965")

    #expect(
      plan.suggestedIndexes.sorted() == [
        "CREATE INDEX \"book_by_title\" ON \"book\"(\"title\")",
        "CREATE INDEX \"book_by_year\" ON \"book\"(\"year\")",
      ])
  }

  @Test func `a condition on the smaller table of a join suggests the indexes of both tables`()
    throws
  {
    let plan = try plan(
      "SELECT * FROM copy JOIN book ON book.id = copy.book WHERE book.title = 'Emma'",
      "CREATE TABLE copy(book INTEGER, shelf TEXT)")

    #expect(
      plan.suggestedIndexes.sorted() == [
        "CREATE INDEX \"book_by_title\" ON \"book\"(\"title\")",
        "CREATE INDEX \"copy_by_book\" ON \"copy\"(\"book\")",
      ])
  }

  @Test func `a condition on a view suggests an index of the table of the view`() throws {
    let plan = try plan("SELECT title FROM old_book")

    #expect(plan.suggestedIndexes == ["CREATE INDEX \"book_by_year\" ON \"book\"(\"year\")"])
  }

  @Test func `a suggested index has a name that no object of the schema has`() throws {
    let plan = try plan(
      "SELECT * FROM book WHERE title = 'Emma'", "CREATE TABLE book_by_title(x)")

    #expect(plan.suggestedIndexes == ["CREATE INDEX \"book_by_title_2\" ON \"book\"(\"title\")"])
  }

  @Test func `a suggested index of one of several stores names the store`() throws {
    let plan = try plan("SELECT * FROM library.book WHERE title = 'Emma'", withNotes: true)

    #expect(
      plan.suggestedIndexes == [
        "CREATE INDEX \"library\".\"book_by_title\" ON \"book\"(\"title\")"
      ])
  }

  @Test func `names in a suggested index are in quotes`() throws {
    let plan = try plan(
      "SELECT 1 FROM \"lost book\" WHERE \"the \"\"title\"\"\" = 'Emma'",
      "CREATE TABLE \"lost book\"(\"the \"\"title\"\"\" TEXT)")

    #expect(
      plan.suggestedIndexes == [
        "CREATE INDEX \"lost book_by_the \"\"title\"\"\" ON \"lost book\"(\"the \"\"title\"\"\")"
      ])
  }

  @Test func `a statement that needs all rows suggests no index`() throws {
    let plan = try plan("SELECT title, count(*) FROM book")

    #expect(plan.steps.map(\.text) == ["SCAN book"])
    #expect(plan.suggestedIndexes == [])
  }

  @Test func `the plan of a lookup in a store of named values shows the condition`() throws {
    let plan = try plan("SELECT value FROM note WHERE name = '1'", withNotes: true)

    #expect(plan.steps.map(\.text) == ["SCAN note VIRTUAL TABLE INDEX 1:name=?"])
    #expect(plan.suggestedIndexes == [])
  }

  @Test(arguments: [
    "DELETE FROM book", "SELECT * FROM absent", "EXPLAIN SELECT 1", "SELECT 1; SELECT 2",
  ])
  func `the plan of a statement that is not one valid query is refused`(sql: String) throws {
    let error = #expect(throws: StorageError.self) { try plan(sql) }

    #expect(error?.code == .misuse)
  }
}
