import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct KeptValueTests {
  private struct Kept<Value: ColumnValue & Equatable>: Sendable {
    var id: Int64?
    var value: Value
    var table: Table<Kept<Value>> {
      Table(
        "kept", { Kept(id: $0, value: $1) }, Column("id", \.id).primaryKey(),
        Column("value", \.value))
    }
  }

  /// Expects each value to be stored exactly and to be found by equality.
  private func roundTrip<Value: ColumnValue & Equatable>(
    _ values: Value..., location: SourceLocation = #_sourceLocation
  ) throws {
    try Database.inMemory().write { db in
      for value in values {
        let table = Kept(value: value).table
        let stored = try table.insertAndFetch(Kept(value: value), in: db)
        #expect(stored.value == value, sourceLocation: location)
        let found = try table.where { $0.id == stored.id && $0.value == value }.fetchAll(in: db)
        #expect(found.map(\.value) == [value], sourceLocation: location)
      }
    }
  }

  private func refused<Value: ColumnValue & Equatable>(
    _ value: Value, location: SourceLocation = #_sourceLocation
  ) throws {
    try Database.inMemory().write { db in
      let table = Kept(value: value).table
      #expect(throws: StorageError.self, sourceLocation: location) {
        try table.insert(Kept(value: value), in: db)
      }
      try #expect(table.fetchCount(in: db) == 0, sourceLocation: location)
    }
  }

  @Test(
    .behaviour("A-CT-I20"), .behaviour("A-WC-32"), .behaviour("A-CT-I11"), .behaviour("A-CT-I05"))
  func `integers that fit Int64 are stored exactly, and integers above Int64.max are rejected`()
    throws
  {
    try roundTrip(Int.min, 0, .max)
    try roundTrip(Int64.min, 0, .max, 1_763_720_287_123)
    try roundTrip(Int32.min, 0, .max)
    try roundTrip(Int16.min, 0, .max)
    try roundTrip(Int8.min, 0, .max)
    try roundTrip(UInt32.min, .max)
    try roundTrip(UInt16.min, .max)
    try roundTrip(UInt8.min, .max)
    try roundTrip(UInt64.min, UInt64(Int64.max))
    try refused(UInt64(Int64.max) + 1)
    try refused(UInt64.max)
    try refused(UInt.max)
    try roundTrip(Bool.random(), true, false)
    try roundTrip(Int?.none, 0)
  }

  @Test(.behaviour("A-CT-I06"), .behaviour("A-CT-I13"), .behaviour("A-WC-32"))
  func `floating-point numbers and decimals are stored exactly, and NaN is rejected`() throws {
    let greatest = Double.greatestFiniteMagnitude
    try roundTrip(0.1, -0.0, greatest, -greatest, .leastNonzeroMagnitude, .infinity, 1.0 / 3)
    try roundTrip(Float.greatestFiniteMagnitude, 0.1, .leastNonzeroMagnitude, 0)
    try refused(Double.nan)
    try refused(Float.nan)
    try roundTrip(Double?.none, 0)
    try roundTrip(try #require(Decimal(string: "12345678901234567890.123456789")), Decimal(0))
  }

  @Test(
    .behaviour("A-CT-I03"), .behaviour("A-CT-I04"), .behaviour("A-CT-I05"),
    .behaviour("A-CT-I17"), .behaviour("A-CT-I18"))
  func `text is stored unchanged`() throws {
    try roundTrip(
      "c'asa", "I'm", "NULL", "", "123-456-789", "123.456.789", "a; DROP TABLE kept; --", "`b`",
      "\"c\"", "a\0b", "📚👩🏽‍💻", "图书馆の本", "e\u{301}", String(repeating: "本", count: 350_000))
    try roundTrip(String?.none, "", "NULL")
  }

  @Test(.behaviour("A-CT-I07"), .behaviour("A-CT-I21"))
  func `data is stored unchanged, and empty data is not NULL`() throws {
    try roundTrip(
      Data(), Data([0, 255, 0]), Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0) }))
    try roundTrip(Data?.none, Data())
    try Database.inMemory().write { db in

      let table = Kept<Data?>(value: nil).table
      try table.insertAll([Kept<Data?>(value: nil), Kept<Data?>(value: Data())], in: db)
      try #expect(
        db.fetchAll("SELECT typeof(value) FROM kept") { row in try row[0] as String }
          == ["null", "blob"])
    }
  }

  @Test(.behaviour("A-CT-I13"))
  func `dates, UUIDs, URLs and enums are stored unchanged`() throws {
    try roundTrip(Date(timeIntervalSinceReferenceDate: 785_412_887.123), .distantPast)
    try roundTrip(UUID())
    try roundTrip(try #require(URL(string: "https://example.org/a%20b?c=d")))
    try roundTrip(Genre.novel, .essay)
    try roundTrip(Genre?.none, .essay)
  }

  @Test(.behaviour("A-WC-33"))
  func `reading throws if a stored value does not fit the type of the property`() throws {
    try Database.inMemory().write { db in
      try Kept(value: Int64(0)).table.insert(Kept(value: 300), in: db)
      #expect(throws: StorageError.self) { try Kept(value: Int8(0)).table.fetchAll(in: db) }
      #expect(throws: StorageError.self) { try Kept(value: UInt8(0)).table.fetchAll(in: db) }
      #expect(try Kept(value: Int16(0)).table.fetchAll(in: db).map(\.value) == [300])

      try db.execute("UPDATE kept SET value = -1")
      #expect(throws: StorageError.self) { try Kept(value: UInt64(0)).table.fetchAll(in: db) }
      try db.execute("UPDATE kept SET value = 0.1")
      #expect(throws: StorageError.self) { try Kept(value: Int(0)).table.fetchAll(in: db) }
    }
  }

  private struct Tags: JSONColumnValue, Equatable {
    var names: [String]
    var colours: [String: Int] = [:]
  }

  @Test(.behaviour("A-WC-34"))
  func `a JSON column stores any Codable value, and reading invalid content throws`() throws {
    try roundTrip(Tags(names: ["new", "a/b", "\"本\""], colours: ["red": 1, "blue": 2]))
    try roundTrip(Tags?.none, Tags(names: []))
    try Database.inMemory().write { db in
      let table = Kept(value: Tags(names: [])).table

      try table.insert(Kept(value: Tags(names: ["b"], colours: ["x": 1, "a": 2])), in: db)
      try #expect(
        db.fetchValue("SELECT value FROM kept", as: String.self)
          == #"{"colours":{"a":2,"x":1},"names":["b"]}"#)

      let cutOff = "'" + String(repeating: "[", count: 513) + "'"
      for content in [#"'[1, 2]'"#, "''", "'null'", "'{'", "7", "x'7b7d'", cutOff] {
        try db.execute("UPDATE kept SET value = \(SQL(unchecked: content))")
        let error = #expect(throws: StorageError.self) { try table.fetchAll(in: db) }
        #expect(error?.code == .decodingFailed)
      }
    }
  }
}
