import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the time limit of queries.
@Suite struct QueryDeadlineTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"

  @Test func `a statement that reaches the time limit throws, and the error names the option`() {
    let error = QueriedLibrary.error(Self.endless, [], time: .milliseconds(20))

    #expect(error?.code == .interrupted)
    #expect(error?.suggestion?.contains("--time-limit") == true)
    #expect(error?.suggestion?.contains("index") == true)
  }

  @Test func `listing the names of a store counts towards the time limit`() throws {
    let values = (0..<600).map { ("\($0)", Data()) }
    let store = RecordingStore(values, pause: .microseconds(100))

    let error = QueriedLibrary.error(
      "SELECT count(*) FROM note", [try QueriedLibrary.store("note", store)],
      time: .milliseconds(30))

    #expect(error?.code == .interrupted)
  }

  @Test func `planning a statement ends at the time limit`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try QueriedLibrary.fill(url)
      let stores = [try QueriedLibrary.database("library", url)]
      let sql = "SELECT * FROM book WHERE title = 'Emma'"
      var limits = QueryLimits()
      limits.time = .zero

      let error = #expect(throws: StorageError.self) {
        try SQLiteQueryEngine().plan(of: sql, on: stores, limits: limits)
      }

      #expect(error?.code == .interrupted)
      #expect(error?.suggestion?.contains("--time-limit") == true)
    }
  }

  @Test func `the time that the caller spends on a row does not count towards the time limit`()
    throws
  {
    var limits = QueryLimits()
    limits.time = .seconds(3)
    var rowCount = 0

    try SQLiteQueryEngine().run(
      "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3", on: [], limits: limits, columns: { _ in }
    ) { _ in
      rowCount += 1
      Thread.sleep(forTimeInterval: 1.5)
      return true
    }

    #expect(rowCount == 3)
  }

  @Test func `a statement without a time limit runs to its end`() throws {
    let rows = try QueriedLibrary.rows(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT count(*) FROM n
      """, [], time: nil)

    #expect(rows == [[.integer(5000)]])
  }
}
