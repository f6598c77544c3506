import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of conditions, orders, pages, searches and defaults with extreme values.
@Suite struct ExtremeValueTests {
  private struct Entry: TableRecord, Equatable {
    var id: Int64?
    var number: Int64 = 0
    var real: Double?
    var text: String = ""
    var since: Date?
    var key: UUID?

    static let table = Table(
      "entry", Entry.init, Column("id", \.id).primaryKey(), Column("number", \.number).indexed(),
      Column("real", \.real), Column("text", \.text).indexed(), Column("since", \.since),
      Column("key", \.key))
  }

  private func database(_ entries: [Entry]) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in try Entry.table.insertAll(entries, in: db) }
    return database
  }

  @Test func `queries find and sort Int64 values from the minimum to the maximum`() throws {
    let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, 9_007_199_254_740_993, .max - 1, .max]
    try database(numbers.shuffled().map { Entry(number: $0) }).read { db in
      for number in numbers {
        #expect(try Entry.where { $0.number == number }.fetchCount(in: db) == 1)
        let list = [number] + (1...600).map { Int64($0) * 10 }
        #expect(try Entry.where { $0.number.isIn(list) }.fetchCount(in: db) == 1)
      }

      var (end, found): (PageCursor?, [Int64]) = (nil, [])
      repeat {
        let page = try Entry.order { $0.number }.fetchPage(of: 1, after: end, in: db)
        found += page.records.map(\.number)
        end = page.hasMore ? page.end : nil
      } while end != nil
      #expect(found == numbers)

      #expect(try Entry.fetchValue(in: db) { $0.number.min } == .min)
      #expect(try Entry.fetchValue(in: db) { $0.number.max } == .max)
      #expect(throws: StorageError.self) { try Entry.fetchValue(in: db) { ($0.number * 2).sum } }
    }
  }

  @Test func `queries find and sort infinite floating-point values, and reject NaN`() throws {
    let reals: [Double?] = [
      nil, -.infinity, -.greatestFiniteMagnitude, -Double.leastNonzeroMagnitude, 0,
      .leastNonzeroMagnitude, 0.1, .infinity,
    ]
    try database(reals.shuffled().map { Entry(real: $0) }).read { db in
      for real in reals {
        #expect(try Entry.where { $0.real == real }.fetchCount(in: db) == 1)
        #expect(try Entry.where { $0.real.isIn([real]) }.fetchCount(in: db) == 1)
        #expect(try Entry.where { $0.real != real }.fetchCount(in: db) == reals.count - 1)
      }

      var (end, found): (PageCursor?, [Double?]) = (nil, [])
      repeat {
        let page = try Entry.order { $0.real }.fetchPage(of: 1, after: end, in: db)
        found += page.records.map(\.real)
        end = page.hasMore ? page.end : nil
      } while end != nil
      #expect(found == reals)

      #expect(try Entry.where { $0.real < .infinity }.fetchCount(in: db) == 6)
      #expect(throws: StorageError.self) { try Entry.where { $0.real == .nan }.fetchCount(in: db) }
      #expect(throws: StorageError.self) {
        try Entry.where { $0.real.isIn([.nan]) }.fetchCount(in: db)
      }
    }
  }

  @Test func `queries find and sort dates of the years 0 to 9999, and other dates are rejected`()
    throws
  {
    let dates: [Date?] = [
      nil, Date(timeIntervalSince1970: -62_167_219_200), .distantPast,
      Date(timeIntervalSince1970: -0.001), Date(timeIntervalSince1970: 0), .distantFuture,
      Date(timeIntervalSince1970: 253_402_300_799.999),
    ]
    try database(dates.shuffled().map { Entry(since: $0) }).write { db in

      for date in dates {
        try #expect(Entry.where { $0.since == date }.fetchCount(in: db) == 1)
      }

      try #expect(Entry.order { $0.since }.fetchAll(in: db).map(\.since) == dates)
      for seconds in [253_402_300_800, -62_167_219_201, 1e300, .infinity, .nan] as [Double] {
        let date = Date(timeIntervalSince1970: seconds)
        let error = #expect(throws: StorageError.self) {
          try Entry.table.insert(Entry(since: date), in: db)
        }
        #expect(error?.code == .encodingFailed)
        #expect(throws: StorageError.self) {
          try Entry.where { $0.since < date }.fetchCount(in: db)
        }
      }
    }
  }

  @Test
  func `comparisons, isIn, hasPrefix, hasSuffix and contains match special characters literally`()
    throws
  {
    let texts = [
      "", "\0", "a", "a\0", "a\0b", "a\0b\0c", "50%", "50x", "a_b", "a*b", "a[b", "a?b", "it's",
      "\"", "\\", "\u{1}", "\u{7f}", "\u{2028}", "\u{feff}x", "\u{10ffff}", "e\u{301}", "\u{e9}",
    ]
    let database = try database(texts.map { Entry(text: $0) })
    func exactly(_ text: String, _ other: String) -> Bool { text.utf8.elementsEqual(other.utf8) }
    func found(_ condition: @Sendable (Columns<Entry>) -> Condition) throws -> [String] {
      try database.read { db in
        try Entry.where(condition).order { $0.id }.fetchAll(in: db).map(\.text)
      }
    }
    func expect(_ found: [String], _ isWanted: (String) -> Bool, _ text: String) {
      let expected = texts.filter(isWanted).map { Array($0.utf8) }
      #expect(found.map { Array($0.utf8) } == expected, "\(text)")
    }

    for text in texts {
      let bytes = Array(text.utf8)
      expect(try found { $0.text == text }, { exactly($0, text) }, text)
      expect(try found { $0.text != text }, { !exactly($0, text) }, text)
      expect(try found { $0.text.isIn([text]) }, { exactly($0, text) }, text)
      let list = [text] + (0..<600).map { "none \($0)" }
      expect(try found { $0.text.isIn(list) }, { exactly($0, text) }, text)
      expect(try found { $0.text.isNotIn(list) }, { !exactly($0, text) }, text)
      expect(try found { $0.text.hasPrefix(text) }, { $0.utf8.starts(with: bytes) }, text)
      expect(
        try found { $0.text.hasSuffix(text) },
        { $0.utf8.reversed().starts(with: bytes.reversed()) }, text)
      expect(
        try found { $0.text.contains(text) },
        { other in
          bytes.isEmpty
            || other.utf8.indices.contains { other.utf8[$0...].starts(with: bytes) }
        }, text)
    }
  }

  @Test func `hasPrefix, hasSuffix and contains find text of 120,000 characters`() throws {
    let long = String(repeating: "ab[*", count: 30_000)
    try database([Entry(text: long), Entry(text: long + "c"), Entry(text: "c" + long)])
      .read { db in
        try #expect(Entry.where { $0.text.hasPrefix(long) }.fetchCount(in: db) == 2)
        try #expect(Entry.where { $0.text.hasPrefix(long + "c") }.fetchCount(in: db) == 1)
        try #expect(Entry.where { $0.text.hasPrefix(long + "\0") }.fetchCount(in: db) == 0)
        try #expect(Entry.where { $0.text.hasSuffix(long) }.fetchCount(in: db) == 2)
        try #expect(Entry.where { $0.text.contains(long) }.fetchCount(in: db) == 3)
      }
  }

  @Test
  func `isIn accepts 40,000 integers or texts, and throws a misuse error for 40,000 UUIDs`()
    throws
  {
    let keys = (0..<40_000).map { _ in UUID() }
    let entries = (0..<3).map { Entry(number: Int64($0), text: "\($0)'\"\\", key: keys[$0]) }
    let none: [UUID?] = [nil]

    try database(entries + [Entry(number: -1, text: "x", key: UUID()), Entry(number: -2)])
      .read { db in
        let numbers = (0..<40_000).map { Int64($0) }
        try #expect(Entry.where { $0.number.isIn(numbers) }.fetchCount(in: db) == 3)
        try #expect(Entry.where { $0.number.isNotIn(numbers) }.fetchCount(in: db) == 2)

        let texts = (0..<40_000).map { "\($0)'\"\\" }
        try #expect(Entry.where { $0.text.isIn(texts) }.fetchCount(in: db) == 3)
        try #expect(Entry.where { $0.text.isIn([]) }.fetchCount(in: db) == 0)
        try #expect(Entry.where { $0.text.isNotIn([]) }.fetchCount(in: db) == 5)

        let some = Array(keys[..<30_000])
        try #expect(Entry.where { $0.key.isIn(some) }.fetchCount(in: db) == 3)
        try #expect(Entry.where { $0.key.isIn(some + none) }.fetchCount(in: db) == 4)
        try #expect(Entry.where { $0.key.isNotIn(some) }.fetchCount(in: db) == 2)

        let error = #expect(throws: StorageError.self) {
          try Entry.where { $0.key.isIn(keys) }.fetchCount(in: db)
        }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("divide the list among several queries") == true)
      }
  }

  @Test func `an unsigned integer greater than Int64.max is rejected as a key`() throws {
    struct Large: TableRecord {
      var id: UInt64
      static let table = Table("large", Large.init, Column("id", \.id).primaryKey())
    }
    try Database.inMemory().write { db in
      try Large.table.insert(Large(id: UInt64(Int64.max)), in: db)
      #expect(try Large.find(UInt64(Int64.max), in: db) != nil)
      for id in [UInt64(Int64.max) + 1, .max] {
        for error in [
          #expect(throws: StorageError.self) { try Large.table.insert(Large(id: id), in: db) },
          #expect(throws: StorageError.self) { try Large.find(id, in: db) },
          #expect(throws: StorageError.self) { try Large.table.upsert(Large(id: id), in: db) },
          #expect(throws: StorageError.self) {
            try Large.where { $0.id.isIn([1, id]) }.fetchAll(in: db)
          },
        ] {
          #expect(error?.code == .encodingFailed)
        }
      }
      #expect(try Large.fetchCount(in: db) == 1)
    }
  }

  @Test
  func `a changed column default is detected even if both defaults are equal as doubles`()
    throws
  {
    struct Loan: Sendable {
      var id: Int64?
      var limit: Int64
      static func table(_ limit: Int64) -> Table<Loan> {
        Table(
          "loan", Loan.init, Column("id", \Loan.id).primaryKey(),
          Column("limit", \Loan.limit).default(limit))
      }
    }
    try Database.inMemory().write { db in
      let limits: [Int64] = [.min, 9_007_199_254_740_993, .max]
      for limit in limits {
        try db.execute("DROP TABLE IF EXISTS loan")
        try Loan.table(limit).prepare(in: db)
        try db.execute("INSERT INTO loan DEFAULT VALUES")
        #expect(try Loan.table(limit).fetchAll(in: db).map(\.limit) == [limit])
        try Loan.table(limit).prepare(in: db)
        let other = limit == .max ? limit - 1 : limit + 1
        #expect(throws: StorageError.self) { try Loan.table(other).prepare(in: db) }
      }
    }
  }

  @Test(arguments: ["a\"b", "it's", "[x]", "a;--", "a b", "select", "é", "\u{1F4DA}", "%_*?", "."])
  func `tables, columns and full-text searches support names with special characters`(
    _ name: String
  )
    throws
  {
    struct Named: Sendable, Equatable {
      var id: Int64?
      var text: String
      var other: String?
    }
    let table = Table(
      name, Named.init, Column("id" + name, \Named.id).primaryKey(),
      Column(name, \Named.text).unique(), Column(name + "2", \Named.other).indexed()
    ).fullText(\.text)

    try Database.inMemory().write { db in
      try table.insert(Named(text: "tea time"), in: db)
      try table.upsert(Named(text: "tea time", other: "x"), on: \.text, in: db)
      try table.upsert(Named(id: 2, text: "coffee"), in: db)
      #expect(try table.fetchAll(in: db).map(\.other) == ["x", nil])
      try #expect(
        table.where { $0.text == "coffee" }.update(in: db) { $0.other = "y" } == 1)

      let page = try table.order { $0.other }.fetchPage(of: 1, in: db)
      try #expect(
        table.order { $0.other }.fetchPage(of: 1, after: page.end, in: db).records.count == 1)

      let found = table.search(FullTextQuery(matchingAll: "tea"))
      #expect(try found.fetchSnippets(of: \.text, in: db).map(\.text) == ["[tea] time"])
      #expect(try found.limit(1).fetchHighlights(of: \.text, in: db).map(\.text) == ["[tea] time"])

      let pairs = try table.join(table) { $0.id == $1.id }.fetchAll(in: db)
      #expect(pairs.count == 2)
      try #expect(
        db.fetchAll("SELECT * FROM \(identifier: name)", as: [String: SQLText].self).count == 2)
      try #expect(table.delete(key: 2 as Int64, in: db) == 1)
    }
  }

  /// A type that can be decoded from any value, and ignores the value.
  private struct SQLText: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer() }
  }

  @Test func `a table or column name with a NUL character is rejected`() throws {
    struct Named: Sendable { var id: Int64? }
    try Database.inMemory().write { db in
      for (name, column) in [("a\0b", "id"), ("a", "i\0d")] {
        let table = Table(name, Named.init, Column(column, \Named.id).primaryKey())
        #expect(throws: StorageError.self) { try table.insert(Named(), in: db) }
        #expect(throws: StorageError.self) { try table.fetchAll(in: db) }
      }
      try #expect(db.fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0)
    }
  }

  @Test func `a search with extreme column weights returns all matching rows`() throws {
    try Database.inMemory().write { db in
      try Tome.table.insertAll(Tome.shelf, in: db)
      let all = try Tome.search(matching: "swift OR boats").fetchCount(in: db)
      for weight in [1e-7, 1e16, 1e300, -1e-9, 0, .infinity, .nan, .leastNonzeroMagnitude]
        as [Double]
      {
        let search = Tome.search(matching: "swift OR boats", weights: [weight, 1])
        #expect(try search.fetchAll(in: db).count == all, "\(weight)")
        #expect(try search.limit(2).fetchAll(in: db).count == min(2, all), "\(weight)")
      }
    }
  }

  @Test
  func `a search finds words after a NUL character, and rejects a query with a NUL character`()
    throws
  {
    struct Note: TableRecord {
      var id: Int64?
      var text: String
      static let table = Table(
        "note", Note.init, Column("id", \.id).primaryKey(), Column("text", \.text)
      ).fullText(\.text)
    }
    try Database.inMemory().write { db in
      try Note.table.insert(Note(text: "one\0two three\0four"), in: db)
      for word in ["one", "two", "three", "four"] {
        let found = Note.search(FullTextQuery(matchingAll: "\0\(word)\0"))
        #expect(try found.fetchCount(in: db) == 1)
        #expect(try found.fetchHighlights(of: \.text, in: db).map(\.record.id) == [1])
      }

      let error = #expect(throws: StorageError.self) {
        try Note.search(matching: "one\0 AND nothing").fetchAll(in: db)
      }
      #expect(error?.code == .misuse)
    }
  }
}
