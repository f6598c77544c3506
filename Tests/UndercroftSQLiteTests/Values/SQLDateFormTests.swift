import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct SQLDateFormTests {
  private func value(_ sql: SQL) throws -> SQLValue? {
    try Database.inMemory().read { db in try db.fetchValue(sql) }
  }

  private func date(_ sql: SQL, as form: SQLDateForm = .text) throws -> Date? {
    try Database.inMemory().read { db in
      try db.fetchOne(sql) { row in try row.date(at: 0, as: form) } ?? nil
    }
  }

  @Test(.behaviour("A-FM-52"))
  func `a date is stored as text by default, and as a number on request`() throws {
    let date = Date(timeIntervalSince1970: 1_795_257_487.25)
    #expect(try value("SELECT \(date)") == .text("2026-11-21 10:38:07.250"))
    #expect(try value("SELECT \(date, as: .secondsSince1970)") == .real(1_795_257_487.25))
    #expect(
      try value("SELECT \(date, as: .millisecondsSince1970)") == .integer(1_795_257_487_250))
    #expect(try value("SELECT \(Date?.none, as: .secondsSince1970)") == nil)
    for form in [SQLDateForm.text, .secondsSince1970, .millisecondsSince1970] {
      #expect(try self.date("SELECT \(date, as: form)", as: form) == date)
      #expect(try self.date("SELECT NULL", as: form) == nil)
      let wrong = #expect(throws: StorageError.self) {
        try self.date("SELECT x'00'", as: form)
      }
      #expect(wrong?.code == .decodingFailed)
    }
  }

  @Test func `SQLite's date functions read a stored date, and stored dates sort in time order`()
    throws
  {
    var random = SeededGenerator(seed: 52)
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE loan(due TEXT)")
      for _ in 0..<500 {
        let milliseconds = Int64.random(
          in: -63_113_904_000_000...252_423_993_599_999, using: &random)
        let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
        try db.execute("INSERT INTO loan VALUES (\(date))")
        let seconds = (milliseconds >= 0 ? milliseconds : milliseconds - 999) / 1000 + 978_307_200
        #expect(try db.fetchValue("SELECT CAST(strftime('%s', \(date)) AS INTEGER)") == seconds)
        #expect(
          try db.fetchValue("SELECT strftime('%Y-%m-%d %H:%M:%f', \(date)) = \(date)") == true)
        #expect(try db.fetchValue("SELECT \(date)") == date)
      }
      let dates = try db.fetchAll("SELECT due FROM loan ORDER BY due") { row in try row[0] as Date }
      #expect(dates == dates.sorted())
      #expect(
        try db.fetchValue("SELECT datetime('now') BETWEEN \(Date() - 60) AND \(Date() + 60)")
          == true)
      let now: Date? = try db.fetchValue("SELECT CURRENT_TIMESTAMP")
      #expect(abs(now?.timeIntervalSinceNow ?? .infinity) < 60)
    }
  }

  @Test
  func `a bound date is rounded to milliseconds, and a date outside the supported range throws`()
    throws
  {
    let epoch = Date(timeIntervalSince1970: 0)
    #expect(try value("SELECT \(epoch - 0.0004)") == .text("1970-01-01 00:00:00.000"))
    #expect(try value("SELECT \(epoch - 0.0006)") == .text("1969-12-31 23:59:59.999"))
    #expect(try value("SELECT \(epoch + 0.9996)") == .text("1970-01-01 00:00:01.000"))
    let first = try #require(try date("SELECT '0000-01-01'"))
    let last = try #require(try date("SELECT '9999-12-31 23:59:59.999'"))
    #expect(try value("SELECT \(first)") == .text("0000-01-01 00:00:00.000"))
    #expect(try value("SELECT \(last)") == .text("9999-12-31 23:59:59.999"))

    for seconds in [.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e15, -9.3e15] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      for form in [SQLDateForm.text, .millisecondsSince1970] {
        let error = #expect(throws: StorageError.self) { try value("SELECT \(date, as: form)") }
        #expect(error?.code == .encodingFailed)
      }
    }
    for date in [first - 0.001, last + 0.001] {
      #expect(throws: StorageError.self) { try value("SELECT \(date)") }
    }
    #expect(throws: StorageError.self) {
      try date("SELECT -9223372036854775808", as: .millisecondsSince1970)
    }
    #expect(throws: StorageError.self) { try date("SELECT 9e999", as: .secondsSince1970) }
  }

  @Test(arguments: [
    ("2000-02-29", 951_782_400.0), ("2000-02-29 12:30", 951_827_400),
    ("2000-02-29T12:30:15", 951_827_415), ("2000-02-29T12:30:15Z", 951_827_415),
    ("2000-02-29 12:30:15.5", 951_827_415.5),
    ("2000-02-29 12:30:15.123456789", 951_827_415.123456789),
    ("2000-02-29 12:30:15+02:30", 951_818_415), ("2000-02-29 12:30-08:00", 951_856_200),
  ])
  func `text in any ISO 8601 date format that SQLite accepts can be read as a date`(
    text: String, seconds: Double
  )
    throws
  {
    let read = try #require(try date("SELECT \(text)"))
    #expect(abs(read.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(arguments: [
    "", "now", "2000", "2000-02-30", "1900-02-29", "2000-13-01", "2000-00-10", "2000-01-00",
    "2000-01-01 24:00", "2000-01-01 00:60", "2000-01-01 00:00:60", "2000-01-01 0:00", "2000-01-01 ",
    "2000-01-01 00:00:00.", "2000-01-01 00:00:00.1234567890", "2000-01-01 00:00+1:00",
    "2000-01-01 00:00+15:00", "2000-01-01 00:00 ", "-200-01-01", "12000-01-01", "2000-1-1",
    "2000-01-01Z", "2451545.0", "２０００-01-01", "2000-01-01\0",
  ])
  func `reading text that is not a valid date throws`(text: String) {
    let error = #expect(throws: StorageError.self) { try date("SELECT \(text)") }
    #expect(error?.code == .decodingFailed)
  }

  @Test func `reading a number as a date throws unless a numeric date form is requested`() {
    let error = #expect(throws: StorageError.self) { try date("SELECT 1795257487") }
    #expect(error?.code == .decodingFailed)
  }
}
