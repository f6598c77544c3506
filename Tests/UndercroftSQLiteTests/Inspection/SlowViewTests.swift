import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of inspecting databases with views that take long.
@Suite struct SlowViewTests {
  @Test(.heavy)
  func `inspecting many views whose functions take long ends, and omits the numbers of their rows`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        for number in 1...20 {
          try db.execute(
            """
            CREATE VIEW \(identifier: "shelf\(number)") AS
            WITH RECURSIVE n(i) AS (
              SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE length(hex(zeroblob(7000000))) > 0)
            SELECT i FROM n
            """)
        }
      }
      let opened = try StoreInspectorFactory.sqlite.open(url, .init())
      let store = try #require(opened as? any TableInspectable)
      let begin = ContinuousClock.now

      let tables = try store.tables()

      #expect(begin.duration(to: .now) < .seconds(60))
      #expect(tables.count == 21)
      #expect(tables.first { !$0.isView }?.rowCount == 0)
      #expect(tables.allSatisfy { $0.columns == ($0.isView ? ["i"] : ["title"]) })
      #expect(tables.allSatisfy { !$0.isView || $0.rowCount == nil })
    }
  }
}
