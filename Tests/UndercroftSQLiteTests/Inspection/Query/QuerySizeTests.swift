import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the limits of the sizes of values and statements in queries.
@Suite struct QuerySizeTests {
  @Test(arguments: [
    "SELECT zeroblob(1000000000)", "SELECT randomblob(1000000000)",
    """
    WITH RECURSIVE page(text) AS (SELECT 'Emma' UNION ALL SELECT text || text FROM page)
    SELECT length(text) FROM page
    """,
  ])
  func `a statement that computes too large a value is wrong, and no data is damaged`(
    sql: String
  ) throws {
    let error = try #require(QueriedLibrary.error(sql, [], time: nil))

    #expect(error.code == .misuse)
    #expect(error.message.contains("too big"), "\(error)")
    #expect(error.suggestion?.contains("substr") == true)
  }

  @Test func `a statement that is too long is wrong, and the error suggests to shorten it`() throws
  {
    let sql = "SELECT '\(String(repeating: "x", count: 1_000_000))'"

    let error = try #require(QueriedLibrary.error(sql, []))

    #expect(error.code == .misuse)
    #expect(error.suggestion == "shorten the statement")
  }

  @Test(arguments: [
    "SELECT 1, NAME", "SELECT 'NAME", "SELECT 1 FROM NAME", "SELECT NAME(1)",
    "SELECT 'a' < 'b' COLLATE NAME", "SELECT NAME.title", "PRAGMA NAME",
  ])
  func `an error does not repeat a long name or token of a generated statement`(sql: String) throws
  {
    let name = String(repeating: "book", count: 2_500)

    let error = try #require(QueriedLibrary.error(sql.replacing("NAME", with: name), []))

    #expect(error.code == .misuse)
    #expect(error.message.contains("bookbook"), "\(error)")
    #expect(error.message.utf8.count < 2_000, "\(error)")
  }

  @Test func `a row whose values are too large together is refused before it is copied`() throws {
    let error = try #require(
      QueriedLibrary.error("SELECT 'Emma', zeroblob(40000000), zeroblob(40000000)", []))

    #expect(error.code == .misuse)
    #expect(error.message.contains("a row of the result has 80000004 bytes"), "\(error)")
    #expect(error.suggestion?.contains("fewer columns") == true)
  }

  @Test func `a statement can use values that are too large for a row of the result`() throws {
    let rows = try QueriedLibrary.rows("SELECT length(zeroblob(100000000))", [])

    #expect(rows == [[.integer(100_000_000)]])
  }

  @Test func `a value of a store that is known to be too large is not read`() throws {
    let store = RecordingStore([("scan", Data(count: (1 << 27) + 1))])
    let stores = [try QueriedLibrary.store("page", store)]

    let error = try #require(QueriedLibrary.error("SELECT value FROM page", stores))
    let sizes = try QueriedLibrary.rows("SELECT bytes FROM page", stores)

    #expect(error.code == .misuse)
    #expect(error.message.contains("\"scan\" in the store \"page\""), "\(error)")
    #expect(sizes == [[.integer((1 << 27) + 1)]])
    #expect(store.reads == [])
  }
}
