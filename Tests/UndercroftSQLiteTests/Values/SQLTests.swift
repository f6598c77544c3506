import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLTests {
  private func library(_ titles: [String]) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      for title in titles { try db.execute("INSERT INTO book VALUES (\(title))") }
    }
    return database
  }

  @Test func `a value interpolated into SQL becomes a placeholder with an argument`() {
    let sql: SQL = "SELECT * FROM book WHERE title = \("Emma") AND id IN (\([1, 2, 3]))"
    #expect(sql.text == "SELECT * FROM book WHERE title = ? AND id IN (?,?,?)")
    #expect(sql.arguments == [.text("Emma"), .integer(1), .integer(2), .integer(3)])
  }

  @Test func `an empty array interpolated into IN matches no row`() throws {
    let database = try library(["Emma"])
    let found = try database.read { db in
      try db.fetchAll("SELECT title FROM book WHERE title IN (\([String]()))") { row in
        try row[0] as String
      }
    }

    #expect(found == [])
  }

  @Test func `an interpolated SQL fragment adds its arguments in the order of the placeholders`()
    throws
  {
    let filter: SQL = "title = \("Emma")"
    let sql: SQL = "SELECT \(1) FROM book WHERE \(filter) LIMIT \(5)"
    #expect(sql.text == "SELECT ? FROM book WHERE title = ? LIMIT ?")
    #expect(sql.arguments == [.integer(1), .text("Emma"), .integer(5)])
  }

  @Test(arguments: [
    "'; DROP TABLE book; --", "\" OR 1=1 --", "?1", "\\", "a\0b'", "); DELETE FROM book; (",
  ])
  func `an interpolated string cannot change the SQL of a statement`(title: String) throws {
    let database = try library(["Emma", title])
    let found = try database.read { db in
      try db.fetchAll("SELECT title FROM book WHERE title = \(title)") { row in try row[0] as String
      }
    }
    #expect(found == [title])
    let all = try database.read { db in try db.fetchAll("SELECT title FROM book") { _ in 1 } }
    #expect(all.count == 2)
  }

  @Test(arguments: ["order", "two words", "qu\"ote", "drop\"; DROP TABLE book; --", "ü'ß"])
  func `any name without NUL can be interpolated as an identifier`(name: String) throws {
    let database = try library([])
    try database.write { db in
      try db.execute("CREATE TABLE \(identifier: name)(\(identifier: name) TEXT)")
      try db.execute("INSERT INTO \(identifier: name) VALUES (\("kept"))")
    }
    let stored = try database.read { db in
      try db.fetchOne("SELECT * FROM \(identifier: name)") { row in try row[name] as String }
    }

    #expect(stored == "kept")
  }

  @Test func `an identifier with NUL is refused`() throws {
    let database = try library([])
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute("CREATE TABLE \(identifier: "a\0b")(title TEXT)")
      }
    }
    #expect(error?.code == .misuse)
  }

  @Test(
    arguments: [
      "", "  ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT ?",
      "SELECT '\(1)'", "SELEKT", "SELECT 1 FROM absent",
    ] as [SQL])
  func `running text that is not exactly one complete and valid statement throws a misuse error`(
    sql: SQL
  ) throws {
    let database = try library([])
    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchAll(sql) { _ in 1 } }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `a statement can end with a semicolon, white space and a comment`() throws {
    let database = try library([])
    let answer = try database.read { db in
      try db.fetchOne("SELECT 7; -- the answer \n") { row in try row[0] as Int }
    }

    #expect(answer == 7)
  }

  @Test func `binding NaN or an integer beyond Int64 throws, and nothing is written`() throws {
    let database = try library([])
    for sql in [
      "INSERT INTO book VALUES (\(UInt64.max))", "INSERT INTO book VALUES (\(Double.nan))",
    ]
      as [SQL]
    {
      let error = #expect(throws: StorageError.self) {
        try database.write { db in try db.execute(sql) }
      }
      #expect(error?.code == .encodingFailed)
    }

    #expect(try database.read { db in try db.fetchAll("SELECT 1 FROM book") { _ in 1 } } == [])
  }

  @Test(.behaviour("A-FM-24"))
  func `numbers of every width, text, bytes and nil can be interpolated into SQL`() throws {
    let database = try library([])
    let values = try database.read { db in
      try db.fetchOne(
        """
        SELECT \(Int8(-1)), \(UInt16(2)), \(Int32(3)), \(Int64(4)), \(5), \(Float(0.5)), \(1.5),
          \("% %d %@ ? :a"), \(Data([1])), \(String?.none), \(Int?.some(7)), \(true)
        """
      ) { row in try (0..<row.count).map { try row.value(at: $0) } }
    }
    let expected: [SQLValue] = [
      .integer(-1), .integer(2), .integer(3), .integer(4), .integer(5), .real(0.5), .real(1.5),
      .text("% %d %@ ? :a"), .blob(Data([1])), .null, .integer(7), .integer(1),
    ]

    #expect(values == expected)
  }

  @Test func `concatenating and joining SQL fragments preserves the order of their arguments`()
    throws
  {
    let database = try library(["Emma", "Dune", "Walden"])
    let conditions: [SQL] = ["title <> \("Dune")", "length(title) IN (\([4, 6]))", "rowid < \(3)"]
    var sql: SQL = "SELECT title FROM book"
    sql += " WHERE " + conditions.joined(separator: " AND ")
    #expect(
      sql.text
        == "SELECT title FROM book WHERE title <> ? AND length(title) IN (?,?) AND rowid < ?")
    #expect(sql.arguments == [.text("Dune"), .integer(4), .integer(6), .integer(3)])

    let found = try database.read { db in try db.fetchAll(sql) { row in try row[0] as String } }
    #expect(found == ["Emma"])

    let between = ["a", "b", "c"].map { "\($0)" as SQL }.joined(separator: " OR \(0) OR ")
    #expect(between.text == "? OR ? OR ? OR ? OR ?")

    let arguments: [SQLValue] = [.text("a"), .integer(0), .text("b"), .integer(0), .text("c")]
    #expect(between.arguments == arguments)
    #expect([SQL]().joined(separator: ", ").text.isEmpty)
    #expect((["1", "2"] as [SQL]).joined().text == "12")
  }

  @Test
  func `running a statement throws if a joined fragment contains a value that cannot be bound`()
    throws
  {
    let database = try library(["Emma"])
    let sql =
      "SELECT 1 WHERE " + (["1 = 1", "2 > \(Double.nan)"] as [SQL]).joined(separator: " AND ")

    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchAll(sql) { _ in 1 } }
    }
    #expect(error?.code == .encodingFailed)
  }

  @Test func `thousands of SQL fragments can be concatenated and joined`() {
    let parts = (0..<20_000).map { "title = \("Volume \($0)")" as SQL }
    var added: SQL = ""
    for part in parts { added += part }
    #expect(added.arguments.count == 20_000)
    #expect(added.text == String(repeating: "title = ?", count: 20_000))

    let joined = parts.joined(separator: " OR ")
    #expect(joined.arguments == added.arguments)
    #expect(joined.text.hasSuffix("title = ? OR title = ?"))

    let both = joined + added
    #expect(both.arguments.count == 40_000)
    #expect(both.text == joined.text + added.text)
    #expect(joined.arguments.count == 20_000)
  }
}
