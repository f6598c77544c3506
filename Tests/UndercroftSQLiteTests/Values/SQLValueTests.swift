import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct SQLValueTests {
  @Test
  func `random values are read back bit for bit from a table and from a custom SQL function`()
    throws
  {
    var random = SeededGenerator(seed: 3)
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(
          SQLFunction("same", argumentCount: 1) { arguments in try arguments[0] as SQLValue })
      }))
    try database.write { db in
      try db.execute("CREATE TABLE book(value)")
      for _ in 0..<2000 {
        let value = RandomValue.next(&random)
        try db.execute("INSERT INTO book VALUES (\(value))")
        let stored = try db.fetchOne("SELECT value FROM book WHERE rowid = \(db.lastInsertedRowID)")
        {
          row in try row[0] as SQLValue
        }
        let passed = try db.fetchOne("SELECT same(\(value))") { row in try row[0] as SQLValue }
        #expect(value.isIdentical(to: stored))
        #expect(value.isIdentical(to: passed))
      }
    }
  }

  @Test func `minus zero retains its sign, except in a column declared REAL`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(weight REAL, value)")
      try db.execute("INSERT INTO book VALUES (\(-0.0), \(-0.0))")
      let weight: Double? = try db.fetchValue("SELECT weight FROM book")
      let value: Double? = try db.fetchValue("SELECT value FROM book")
      #expect(weight?.sign == .plus)
      #expect(value?.sign == .minus)
    }
  }

  @Test func `reading invalid UTF-8 text from a row or from a function argument throws`() throws {
    var random = SeededGenerator(seed: 4)
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(
          SQLFunction("same", argumentCount: 1) { arguments in try arguments[0] as String })
      }))
    try database.read { db in
      for _ in 0..<500 {
        let bytes = RandomValue.bytes(&random, upTo: 12)
        let text = String(validating: bytes, as: UTF8.self)
        for sql in ["SELECT CAST(\(bytes) AS TEXT)", "SELECT same(CAST(\(bytes) AS TEXT))"] as [SQL]
        {
          if let text {
            let read: String? = try db.fetchValue(sql)
            #expect(read.map { Array($0.utf8) } == Array(text.utf8))
          } else {
            let error = #expect(throws: StorageError.self) {
              try db.fetchValue(sql, as: String.self)
            }
            #expect(error?.code == .decodingFailed)
          }
        }
      }
    }
  }
}
