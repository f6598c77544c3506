import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

@Suite struct RowTests {
  private func trip<Value: SQLBindable & SQLReadable>(_ value: Value) throws -> Value? {
    let database = try Database.inMemory()
    return try database.write { db in
      try db.execute("CREATE TABLE book(value)")
      try db.execute("INSERT INTO book VALUES (\(value))")
      return try db.fetchOne("SELECT value FROM book") { row in try row[0] as Value }
    }
  }

  @Test(arguments: [
    SQLValue.null, .integer(.min), .integer(.max), .integer(0), .real(-0.5), .real(.infinity),
    .real(.leastNonzeroMagnitude), .text(""), .text("a\0b"), .text("e\u{301} 图书馆 👩‍🏫\u{10ffff}"),
    .blob(Data()), .blob(Data([0, 255, 0])),
  ])
  func `every SQL value is read back as it was written`(value: SQLValue) throws {
    #expect(try trip(value) == value)
  }

  @Test func `Swift values are read back as they were written`() throws {
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

  @Test func `an empty blob, an empty string and NULL are stored as different types`() throws {
    let database = try Database.inMemory()
    let types = try database.read { db in
      try db.fetchOne("SELECT typeof(\(Data())), typeof(\("")), typeof(\(String?.none))") { row in
        [try row[0] as String, try row[1], try row[2]]
      }
    }

    #expect(types == ["blob", "text", "null"])
  }

  @Test func `reading a value as an incompatible type throws an error that states the reason`()
    throws
  {
    let database = try Database.inMemory()
    func expect<Value: SQLReadable>(_ type: Value.Type, _ sql: SQL, _ reason: String) throws {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchOne(sql) { row in try row[0] as Value } }
      }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains(reason) == true)
    }
    try expect(Int.self, "SELECT 'secret' AS title", "\"title\"")
    try expect(Int.self, "SELECT NULL", "NULL")
    try expect(Int.self, "SELECT 1.0", "floating-point")
    try expect(UInt8.self, "SELECT 256", "outside of the range of UInt8, 0 to 255")
    try expect(UInt64.self, "SELECT -1", "outside of the range of UInt64")
    try expect(Bool.self, "SELECT 2", "expected 0 or 1 for a Bool")
    try expect(String.self, "SELECT 1", "an integer")
    try expect(String.self, "SELECT CAST(x'ff' AS TEXT)", "not UTF-8")
    try expect(Data.self, "SELECT 'text'", "text")
    try expect(Double.self, "SELECT 9007199254740993", "a Double cannot represent")
    try expect(String?.self, "SELECT 1", "an integer")
  }

  @Test(.behaviour("A-FM-12"))
  func `a row finds columns by name, and throws for an ambiguous, unknown or invalid name`() throws
  {
    let database = try Database.inMemory()
    try database.read { db in
      _ = try db.fetchOne("SELECT 1 AS id, 2 AS Title, 3 AS id") { row in
        let number: Int = try row["title"]
        #expect(number == 2)
        #expect(row.count == 3)
        for name in ["id", "absent", "", "ti\0tle", "title\0"] {
          let error = #expect(throws: StorageError.self) { try row[name] as Int }
          #expect(error?.code == .misuse)
        }
        for position in [-1, 3, Int.max, Int.min] {
          #expect(throws: StorageError.self) { try row[position] as Int }
        }
      }
    }
  }

  @Test(.behaviour("A-FM-13", "A-FM-28"))
  func `column lookup ignores case, and column names and dictionaries preserve the case`() throws {
    let database = try Database.inMemory()
    try database.read { db in
      _ = try db.fetchOne("SELECT 1 AS Title, 'two' AS \"Ä\", NULL AS pages") {
        (row: borrowing Row) throws in
        #expect(try row["tItLe"] as Int == 1)
        #expect(try row["Ä"] as String == "two")
        #expect(row.names == ["Title", "Ä", "pages"])
        #expect(
          try row.dictionary() == ["Title": .integer(1), "Ä": .text("two"), "pages": .null])
      }
      _ = try db.fetchOne("SELECT 1 AS id, 2 AS id") { row in
        let error = #expect(throws: StorageError.self) { try row.dictionary() }
        #expect(error?.code == .misuse)
      }
    }
  }

  @Test(.behaviour("A-FM-20"))
  func `identifiers can contain periods, spaces, digits, quotes and non-ASCII letters`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      for table in ["two words", "7 books", "a.b", "\"quoted\"", "図書 館"] {
        try db.execute("CREATE TABLE \(identifier: table)(\(identifier: "book.title") TEXT)")
        try db.execute("INSERT INTO \(identifier: table) VALUES (\(table))")
        let found = try db.fetchOne("SELECT * FROM \(identifier: table)") { row in
          try row["book.title"] as String
        }
        #expect(found == table)
      }
    }
  }

  @Test(.behaviour("A-FM-27"))
  func `a row reports the storage class of each column, even if the value is an empty blob`() throws
  {
    let database = try Database.inMemory()
    let types = try database.read { db in
      try db.fetchOne("SELECT NULL, 1, 1.0, '', x''") { row in
        #expect(throws: StorageError.self) { try row.type(at: 5) }
        #expect(throws: StorageError.self) { try row.value(at: -1) }
        #expect(try row.value(at: 4) == .blob(Data()))
        return [
          try row.type(at: 0), try row.type(at: 1), try row.type(at: 2), try row.type(at: 3),
          try row.type(at: 4),
        ]
      }
    }

    #expect(types == [.null, .integer, .real, .text, .blob])
  }

  @Test(.behaviour("A-FM-11", "A-FM-14"))
  func `binding or reading a number of any width throws unless the conversion is exact`() throws {
    #expect(try trip(true) == true)
    #expect(try trip(false) == false)
    #expect(try trip(Int8.min) == .min)
    #expect(try trip(CChar(65)) == 65)
    #expect(try trip(UInt8.max) == .max)
    #expect(try trip(Int16.min) == .min)
    #expect(try trip(UInt16.max) == .max)
    #expect(try trip(Int32.min) == .min)
    #expect(try trip(UInt32.max) == .max)
    #expect(try trip(Int64.min) == .min)
    #expect(try trip(UInt64(Int64.max)) == UInt64(Int64.max))
    #expect(try trip(Int128(Int64.min)) == Int128(Int64.min))
    #expect(try trip(UInt128(7)) == 7)
    #expect(try trip(Float.leastNonzeroMagnitude) == .leastNonzeroMagnitude)
    #expect(try trip(Float(0.1)) == 0.1)
    #expect(try trip(Double.greatestFiniteMagnitude) == .greatestFiniteMagnitude)
    for write in [
      { _ = try trip(UInt64(Int64.max) + 1) }, { _ = try trip(UInt128.max) },
      { _ = try trip(Int128.min) }, { _ = try trip(Float.nan) },
    ] as [() throws -> Void] {
      let error = #expect(throws: StorageError.self) { try write() }
      #expect(error?.code == .encodingFailed)
    }
    let database = try Database.inMemory()
    for read in [
      { row in _ = try row[0] as Float }, { row in _ = try row[1] as UInt64 },
      { row in _ = try row[2] as Int8 },
    ] as [(borrowing Row) throws -> Void] {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchOne("SELECT 0.1, -1, 128", read) }
      }
      #expect(error?.code == .decodingFailed)
    }
  }

  @Test(.behaviour("A-FM-15"))
  func `NULL is read as nil for every type, and zero and empty values are not read as nil`() throws
  {
    #expect(try trip(Date?.none) == .some(nil))
    #expect(try trip(Int?.none) == .some(nil))
    #expect(try trip(Double?.none) == .some(nil))
    #expect(try trip(Data?.none) == .some(nil))
    #expect(try trip(UUID?.none) == .some(nil))
    #expect(try trip(Decimal?.none) == .some(nil))
    #expect(try trip(URL?.none) == .some(nil))
    let zero = Date(timeIntervalSince1970: 0)
    #expect(try trip(Date?.some(zero)) == zero)
    #expect(try trip(Int?.some(0)) == 0)
    #expect(try trip(Data?.some(Data())) == Data())
    #expect(try trip(String?.some("")) == "")
  }

  @Test(.behaviour("A-FM-16"))
  func `a row with 499 NULLs in 500 columns is read completely`() throws {
    let database = try Database.inMemory()
    let names = (0..<500).map { "column\($0)" }
    let values = try database.write { db in
      var columns: SQL = "\(identifier: names[0])"
      for name in names.dropFirst() { columns = "\(columns), \(identifier: name)" }
      try db.execute("CREATE TABLE shelf(\(columns))")
      try db.execute("INSERT INTO shelf(column250) VALUES (1)")
      return try db.fetchOne("SELECT * FROM shelf") { row in try row.dictionary() }
    }

    #expect(values?.count == 500)
    #expect(values?.filter { $0.value != .null } == ["column250": .integer(1)])
  }

  @Test(
    .behaviour("A-FM-17"),
    arguments: [
      "図書館の本", "Война и мир", "한국어", "ספר", "e\u{301}", "\u{feff}bom", "👩‍👩‍👧", "a\0b\0",
      "\u{10ffff}\u{fffe}",
    ])
  func `text in any writing system is read back byte for byte`(text: String) throws {
    #expect(try trip(text).map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(.behaviour("A-FM-18")) func `a large blob is read back byte for byte`() throws {
    var random = SeededGenerator(seed: 18)
    let bytes = (0..<5_000_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let read = try trip(Data(bytes))

    #expect(read == Data(bytes))
    #expect(read.map { [UInt8]($0) } == bytes)
  }
}
