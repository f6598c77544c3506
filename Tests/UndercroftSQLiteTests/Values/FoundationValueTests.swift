import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

/// Tests of UUIDs, URLs, decimals and raw values in columns.
@Suite struct FoundationValueTests {
  private enum Genre: String, SQLBindable, SQLReadable { case novel, poetry }
  private enum Shelf: Int, SQLBindable, SQLReadable { case low = 1, high }

  private func read<Value: SQLReadable>(_ sql: SQL, as type: Value.Type) throws -> Value? {
    try Database.inMemory().read { db in try db.fetchValue(sql, as: type) }
  }

  private func expectRefusal<Value: SQLReadable>(_ sql: SQL, as type: Value.Type) {
    let error = #expect(throws: StorageError.self) { try read(sql, as: type) }
    #expect(error?.code == .decodingFailed)
  }

  @Test func `a UUID is stored as its 16 bytes, and can also be read from text`() throws {
    let text = "00112233-4455-6677-8899-aabbccddeeff"
    let identifier = try #require(UUID(uuidString: text))
    #expect(try read("SELECT hex(\(identifier))", as: String.self)?.count == 32)
    #expect(
      try read("SELECT lower(hex(\(identifier)))", as: String.self)
        == "00112233445566778899aabbccddeeff")
    #expect(try read("SELECT \(identifier)", as: UUID.self) == identifier)
    #expect(try read("SELECT \(text)", as: UUID.self) == identifier)
    #expect(try read("SELECT upper(\(text))", as: UUID.self) == identifier)
    for sql in ["SELECT 'x'", "SELECT x'0011'", "SELECT x''", "SELECT 7"] as [SQL] {
      expectRefusal(sql, as: UUID.self)
    }
    expectRefusal("SELECT \("{" + text + "}")", as: UUID.self)
    expectRefusal("SELECT \(text + "\0")", as: UUID.self)
  }

  @Test func `a URL is stored as its text, and reading an invalid URL throws`() throws {
    let url = try #require(URL(string: "https://library.example/books/1?a=%20b#top"))
    #expect(try read("SELECT \(url)", as: URL.self) == url)
    #expect(try read("SELECT \(url)", as: String.self) == url.absoluteString)
    for text in ["", "two words", "http://[", "a\0b"] {
      expectRefusal("SELECT \(text)", as: URL.self)
    }
  }

  @Test func `an enum is stored as its raw value, and reading an unknown raw value throws`() throws
  {
    #expect(try read("SELECT \(Genre.poetry)", as: Genre.self) == .poetry)
    #expect(try read("SELECT \(Genre.poetry)", as: String.self) == "poetry")
    #expect(try read("SELECT \(Shelf.high)", as: Int.self) == 2)
    #expect(try read("SELECT \([Shelf.high])", as: Shelf.self) == .high)
    expectRefusal("SELECT 'drama'", as: Genre.self)
    expectRefusal("SELECT 3", as: Shelf.self)
    expectRefusal("SELECT 'low'", as: Shelf.self)
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("-12.5", "-12.5"), ("100", "100"),
    ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
    ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
    ("1e20", "100000000000000000000"), ("-1e-3", "-0.001"),
  ])
  func `a decimal is stored as plain text without an exponent and is read back equal`(
    source: String, form: String
  ) throws {
    let number = try #require(Decimal(string: source))
    #expect(try read("SELECT \(number)", as: String.self) == form)
    #expect(try read("SELECT \(number)", as: Decimal.self) == number)
  }

  @Test
  func `a decimal can be read from plain digits or an integer, and every other form is rejected`()
    throws
  {
    #expect(try read("SELECT '007.250'", as: Decimal.self) == Decimal(string: "7.25"))
    #expect(try read("SELECT -9223372036854775808", as: Decimal.self) == Decimal(Int64.min))
    for text in [
      "", "-", ".", ".5", "5.", "1e5", "+1", " 1", "1 ", "1,5", "0x1", "--1", "1.2.3", "NaN", "1\0",
      "１", String(repeating: "9", count: 39), "0." + String(repeating: "0", count: 130) + "1",
      "1" + String(repeating: "0", count: 200), String(repeating: "1", count: 100_000),
    ] {
      expectRefusal("SELECT \(text)", as: Decimal.self)
    }
    expectRefusal("SELECT 0.5", as: Decimal.self)
    expectRefusal("SELECT x'31'", as: Decimal.self)
    let error = #expect(throws: StorageError.self) {
      try read("SELECT \(Decimal.nan)", as: Decimal.self)
    }
    #expect(error?.code == .encodingFailed)
  }

  @Test
  func `reading a decimal from a column not declared TEXT throws an error that suggests TEXT`()
    throws
  {
    let database = try Database.inMemory()
    let price = try #require(Decimal(string: "1.10"))

    try database.write { db in
      try db.execute("CREATE TABLE book(price DECIMAL, exact TEXT)")
      try db.execute("INSERT INTO book VALUES (\(price), \(price))")
      let exact: Decimal? = try db.fetchValue("SELECT exact FROM book")
      #expect(exact == price)
    }
    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT price FROM book", as: Decimal.self) }
    }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message.contains("TEXT") == true)
  }

  @Test func `the largest and the smallest decimals are read back exactly`() throws {
    let smallest = Decimal(sign: .plus, exponent: -128, significand: 1)
    for number in [
      Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude, smallest, -smallest,
      Decimal(
        sign: .plus, exponent: -128, significand: Decimal.greatestFiniteMagnitude.significand),
    ] {
      #expect(try read("SELECT \(number)", as: Decimal.self) == number)
    }
    expectRefusal("SELECT '340282366920938463463374607431768211456'", as: Decimal.self)
  }

  @Test func `a thousand random decimals are read back exactly`() throws {
    var random = SeededGenerator(seed: 38)
    let database = try Database.inMemory()
    try database.read { db in
      for _ in 0..<1000 {
        var number = Decimal(UInt64.random(in: 0 ... .max, using: &random))
        number *= Decimal(UInt32.random(in: 0 ... .max, using: &random))
        let decimal = Decimal(
          sign: Bool.random(using: &random) ? .minus : .plus,
          exponent: Int.random(in: -60...60, using: &random), significand: number)
        try #expect(db.fetchValue("SELECT \(decimal)") == decimal)
      }
    }
  }
}
