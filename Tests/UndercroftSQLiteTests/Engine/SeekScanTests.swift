import Testing
import UndercroftSQLite

/// Tests of queries for which SQLite 3.34 to 3.41 returns wrong rows when it scans an index for the
/// values of a list.
///
/// The planner chooses this scan based on the statistics of `ANALYZE`.
@Suite struct SeekScanTests {
  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(shelf INTEGER, pages INTEGER);
        CREATE INDEX book_pages ON book(pages);
        CREATE INDEX book_shelf_pages ON book(shelf, pages);
        CREATE TABLE wanted(number INTEGER);
        INSERT INTO book VALUES (1, 2), (2, 1), (2, 1), (3, 1), (4, 0), (4, 2), (4, 2);
        INSERT INTO wanted VALUES (0), (2), (4), (1);
        CREATE TABLE loan(reader INTEGER, day INTEGER);
        CREATE INDEX loan_reader_day ON loan(reader, day);
        INSERT INTO loan VALUES (2, 1), (1, 2), (1, 2), (1, 3);
        ANALYZE;
        """)
    }
    return database
  }

  private func numbers(_ sql: SQL) throws -> [Int?] {
    try library().read { db in try db.fetchAll(sql) { row in try row[0] as Int? } }
  }

  private let lists: [SQL] = [
    "SELECT number FROM wanted", "VALUES (0), (2), (4), (1)",
    "SELECT value FROM json_each('[4, 2, 1, 0]')", "\((0...40).filter { $0 != 3 })",
  ]

  @Test
  func `min and max of a column are the same with and without an index if IN selects the rows`()
    throws
  {
    for list in lists {
      for column in ["shelf", "pages"] {
        for other in ["shelf", "pages"] {
          for function in ["max", "min"] {
            let (name, other) = (SQL(unchecked: column), SQL(unchecked: other))
            let function = SQL(unchecked: function)

            let found = try numbers(
              "SELECT \(function)(\(name)) FROM book WHERE \(other) IN (\(list))")

            let sorted = try numbers(
              "SELECT \(function)(+\(name)) FROM book WHERE +\(other) IN (\(list))")
            #expect(
              found == sorted, "\(function.text)(\(name.text)) of \(other.text) IN \(list.text)")
          }
        }
      }
    }
  }

  @Test func `ORDER BY with LIMIT and IN returns the same rows with and without an index`() throws {
    for list in lists {
      for limit in 1...4 {
        let found = try numbers(
          "SELECT day FROM loan WHERE reader IN (\(list)) ORDER BY day LIMIT \(limit)")

        let sorted = try numbers(
          "SELECT day FROM loan WHERE +reader IN (\(list)) ORDER BY +day LIMIT \(limit)")
        #expect(found == sorted, "\(list.text)")
      }
    }
  }
}
