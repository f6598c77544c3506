import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct RowTests {
  private func trip<Value: SQLBindable & SQLReadable>(_ value: Value) throws -> Value? {
    let database = try Database.inMemory()
    return try database.write { db in
      try db.execute("CREATE TABLE book(value)")
      try db.execute("INSERT INTO book VALUES (\(value))")
      return try db.first("SELECT value FROM book") { row in try row[0] as Value }
    }
  }

  @Test(arguments: [
    SQLValue.null, .integer(.min), .integer(.max), .integer(0), .real(-0.5), .real(.infinity),
    .real(.leastNonzeroMagnitude), .text(""), .text("a\0b"), .text("e\u{301} 图书馆 👩‍🏫\u{10ffff}"),
    .blob(Data()), .blob(Data([0, 255, 0])),
  ])
  func `every value comes back as it was`(value: SQLValue) throws {
    #expect(try trip(value) == value)
  }

  @Test func `swift values come back as they were`() throws {
    #expect(try trip(Int.min) == .min)
    #expect(try trip(UInt64(Int64.max)) == UInt64(Int64.max))
    #expect(try trip(UInt8.max) == .max)
    #expect(try trip(true) == true)
    #expect(try trip(1.5) == 1.5)
    #expect(try trip(String?.none) == .some(nil))
    #expect(try trip(Data?.some(Data())) == Data())
    #expect(try trip("a\0b")?.utf8.count == 3)
    #expect(try trip(Data([1, 2, 3, 4])[2...]) == Data([3, 4]))
  }

  @Test func `an empty blob, an empty text and NULL are three things`() throws {
    let database = try Database.inMemory()
    let types = try database.read { db in
      try db.first("SELECT typeof(\(Data())), typeof(\("")), typeof(\(String?.none))") { row in
        [try row[0] as String, try row[1], try row[2]]
      }
    }
    #expect(types == ["blob", "text", "null"])
  }

  @Test func `reading as another type throws and says what is there`() throws {
    let database = try Database.inMemory()
    func expect<Value: SQLReadable>(_ type: Value.Type, _ sql: SQL, _ reason: String) throws {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.first(sql) { row in try row[0] as Value } }
      }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains(reason) == true)
    }
    try expect(Int.self, "SELECT 'secret' AS title", "\"title\"")
    try expect(Int.self, "SELECT NULL", "NULL")
    try expect(Int.self, "SELECT 1.0", "floating-point")
    try expect(UInt8.self, "SELECT 256", "does not fit UInt8")
    try expect(UInt64.self, "SELECT -1", "does not fit UInt64")
    try expect(Bool.self, "SELECT 2", "0 or 1")
    try expect(String.self, "SELECT 1", "an integer")
    try expect(String.self, "SELECT CAST(x'ff' AS TEXT)", "not UTF-8")
    try expect(Data.self, "SELECT 'text'", "text")
    try expect(Double.self, "SELECT 9007199254740993", "more digits")
    try expect(String?.self, "SELECT 1", "an integer")
  }

  @Test func `columns are found by name, and a doubtful name is an error`() throws {
    let database = try Database.inMemory()
    try database.read { db in
      _ = try db.first("SELECT 1 AS id, 2 AS Title, 3 AS id") { row in
        let number: Int = try row["title"]
        #expect(number == 2)
        #expect(row.count == 3)
        for name in ["id", "absent", "", "ti\0tle"] {
          let error = #expect(throws: StorageError.self) { try row[name] as Int }
          #expect(error?.code == .misuse)
        }
        for position in [-1, 3, Int.max, Int.min] {
          #expect(throws: StorageError.self) { try row[position] as Int }
        }
      }
    }
  }
}
