import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct TableQueryTests {
  /// A record with a primary key of two columns.
  struct Seat: TableRecord, Equatable {
    var hall: String
    var number: Int
    var reader: String?
    static let table = Table(
      "seat", Seat.init,
      Column("hall", \.hall).primaryKey(), Column("number", \.number).primaryKey(),
      Column("reader", \.reader))
  }

  @Test(.behaviour("A-CT-F05"), .behaviour("A-GY-01"))
  func `find(_:in:) returns the record with the key, or nil if no row has the key`() throws {
    let database = try Volume.library()
    try database.read { db in
      try #expect(Volume.find(2 as Int64, in: db) == Volume.shelf[1])
      try #expect(Volume.find(77, in: db) == nil)
      let error = #expect(throws: StorageError.self) { try Volume.find("2", in: db) }
      #expect(error?.code == .misuse)
    }
  }

  @Test func `find(_:in:) requires all columns of a composite key in declaration order`() throws {
    let database = try Database.inMemory()
    let seat = Seat(hall: "east", number: 2, reader: "Ada")

    try database.write { db in
      try Seat.table.insertAll([Seat(hall: "east", number: 1), seat], in: db)

      #expect(try Seat.find("east", 2, in: db) == seat)
      #expect(try Seat.find("west", 2, in: db) == nil)
      #expect(throws: StorageError.self) { try Seat.find("east", in: db) }
      #expect(throws: StorageError.self) { try Seat.find(2, "east", in: db) }
      #expect(throws: StorageError.self) { try Seat.find("east", 2, 3, in: db) }
      #expect(try Seat.fetchLastByPrimaryKey(in: db) == seat)
    }
  }

  @Test(.behaviour("A-CT-F07"))
  func `find(keys:in:) returns each record once, in the order of the given keys`() throws {
    let database = try Volume.library()
    try database.read { db in
      let found = try Volume.find(keys: [4, 77, 1, 4, 2] as [Int64], in: db)
      #expect(found.map(\.id) == [4, 1, 2])
      #expect(try Volume.find(keys: [] as [Int64], in: db) == [])
    }
  }

  @Test(.behaviour("A-CT-F02"))
  func `fetchLastByPrimaryKey returns the record with the greatest key`() throws {
    let database = try Volume.library()
    try database.write { db in
      #expect(try Volume.fetchLastByPrimaryKey(in: db)?.id == 5)
      try #expect(Volume.where { $0.rating == 4 }.fetchLastByPrimaryKey(in: db)?.id == 3)
      try Volume.table.truncate(in: db)
      #expect(try Volume.fetchLastByPrimaryKey(in: db) == nil)
    }
  }

  @Test(.behaviour("A-CT-F04"), .behaviour("A-GY-01"), .behaviour("A-GY-03"))
  func `a query filters, sorts and limits rows`() throws {
    let database = try Volume.library()
    try database.read { db in
      #expect(try Volume.fetchAll(in: db) == Volume.shelf)
      #expect(try Volume.where { $0.rating > 7 }.fetchAll(in: db) == [])
      #expect(try Volume.where { $0.rating > 7 }.fetchOne(in: db) == nil)
      #expect(try Volume.where { $0.rating == 4 }.fetchOne(in: db)?.id == 2)

      let keys = try Volume.where { $0.rating >= 3 && $0.note != nil }
        .order { $0.id.descending }.fetchKeys(in: db)
      #expect(keys == [5, 3, 1])

      let byRating = Volume.order { $0.rating.descending }.order { $0.title.descending }
      #expect(try byRating.fetchKeys(in: db) == [1, 3, 2, 5, 4])
      #expect(try byRating.limit(2, offset: 1).fetchKeys(in: db) == [3, 2])
      #expect(try byRating.offset(3).fetchKeys(in: db) == [5, 4])
      #expect(try byRating.limit(0).fetchOne(in: db) == nil)
    }
  }

  @Test func `nullsFirst and nullsLast put NULL values before or after all other values`() throws {
    let database = try Volume.library()
    try database.read { db in
      try #expect(Volume.order { $0.pages }.fetchKeys(in: db) == [3, 5, 2, 1, 4])
      try #expect(Volume.order { $0.pages.nullsLast }.fetchKeys(in: db) == [5, 2, 1, 4, 3])
      try #expect(
        Volume.order { $0.pages.descending.nullsFirst }.fetchKeys(in: db) == [3, 4, 1, 2, 5])
      try #expect(Volume.order { $0.pages.descending }.fetchKeys(in: db) == [4, 1, 2, 5, 3])
      try #expect(
        Volume.order { $0.title.collated("NOCASE") }.fetchKeys(in: db) == [1, 2, 3, 4, 5])
    }
  }

  @Test(.behaviour("A-CT-F03"), .behaviour("A-WC-38"))
  func `a distinct query returns each selected value once`() throws {
    let database = try Volume.library()
    try database.read { db in
      let ratings = Volume.where("rating < \(5)").order { $0.rating }
      try #expect(ratings.fetchValues(in: db) { $0.rating } == [2, 3, 4, 4])
      try #expect(ratings.fetchDistinctValues(in: db) { $0.rating } == [2, 3, 4])
      try #expect(ratings.distinct().select { $0.rating }.fetchCount(in: db) == 3)
      try #expect(ratings.distinct().fetchCount(in: db) == 4)
    }
  }

  @Test(.behaviour("A-CT-F08"), .behaviour("A-GY-04"))
  func `a query counts and aggregates rows`() throws {
    let database = try Volume.library()
    let none: String? = nil
    try database.read { db in
      try #expect(Volume.fetchCount(in: db) == 5)
      try #expect(Volume.where { $0.rating == 4 }.fetchCount(in: db) == 2)
      try #expect(Volume.where { $0.note == none }.fetchCount(in: db) == 1)
      let template = SQL("note IS :null", binding: ["null": nil])
      try #expect(Volume.where(template).fetchCount(in: db) == 1)
      try #expect(Volume.order { $0.id }.limit(3).fetchCount(in: db) == 3)

      try #expect(Volume.where { $0.rating == 4 }.exists(in: db))
      try #expect(Volume.where { $0.rating == 9 }.exists(in: db) == false)

      try #expect(Volume.fetchValue(in: db) { $0.pages.sum } == 2150)
      try #expect(Volume.where { $0.rating == 4 }.fetchValue(in: db) { $0.rating.sum } == 8)
      try #expect(Volume.fetchValue(in: db) { $0.rating.average } == 3.6)
      try #expect(Volume.fetchValue(in: db) { $0.pages.min } == 250)
      try #expect(Volume.fetchValue(in: db) { $0.title.max } == "emma_2")
      try #expect(Volume.fetchValue(in: db) { $0.price.total } == 33.5)
      try #expect(Volume.fetchValue(in: db) { $0.pages.count } == 4)
      try #expect(Volume.fetchValue(in: db) { $0.rating.distinctCount } == 4)
      try #expect(Volume.order { $0.id }.limit(2).fetchValue(in: db) { $0.pages.sum } == 1000)

      let nothing = Volume.where { $0.rating == 9 }
      try #expect(nothing.fetchValue(in: db) { $0.pages.sum } == nil)
      try #expect(nothing.fetchValue(in: db) { $0.rating.max } == nil)
      try #expect(nothing.fetchValue(in: db) { $0.rating.average } == nil)
      try #expect(nothing.fetchValue(in: db) { $0.price.total } == 0)
      try #expect(nothing.fetchCount(in: db) == 0)
    }
  }

  @Test(.behaviour("A-CT-F13"), .behaviour("A-WC-38"))
  func `a query can select columns and expressions as tuples or as a struct`() throws {
    struct Card: Equatable {
      var title: String
      var pages: Int?
    }
    let database = try Volume.library()
    try database.read { db in
      let pairs = try Volume.where { $0.rating >= 4 }.order { $0.id }
        .select { ($0.title, $0.rating * 2) }.fetchAll(in: db)
      #expect(pairs.map(\.0) == ["Dune", "Emma", "emma_2"])
      #expect(pairs.map(\.1) == [10, 8, 8])

      let cards = try Volume.order { $0.pages }
        .select(as: Card.init) { ($0.title, $0.pages) }.fetchAll(in: db)
      #expect(cards.first == Card(title: "emma_2", pages: nil))
      #expect(try Volume.select { $0.title.lowercased }.fetchOne(in: db) == "dune")
    }
  }

  @Test(.behaviour("A-CT-F13"), .behaviour("A-WC-38"))
  func `a query groups rows and filters the groups`() throws {
    let database = try Volume.library()
    try database.read { db in
      let groups = try Volume.where { $0.id < 5 }.order { $0.rating }
        .group { $0.rating }.having { $0.pages.count > 0 && $0.rating < 5 }
        .select { ($0.rating, $0.rowCount, $0.pages.max) }.fetchAll(in: db)
      #expect(groups.map(\.0) == [2, 4])
      #expect(groups.map(\.1) == [1, 2])
      #expect(groups.map(\.2) == [900, 400])

      let both = try Volume.group { ($0.rating, $0.authorID) }
        .select { $0.id.count }.fetchAll(in: db)
      #expect(both.sorted() == [1, 1, 1, 2])
    }
  }

  @Test(.behaviour("A-WC-38"))
  func `a query iterates over rows one by one, and iteration can stop early`() throws {
    let database = try Volume.library()
    var seen: [Int64?] = []
    try database.read { db in
      try Volume.order { $0.id }.forEachUntil(in: db) { volume in
        seen.append(volume.id)
        return seen.count == 2 ? .stop : .continue
      }

      #expect(seen == [1, 2])
      try Volume.forEach(in: db) { volume in seen.append(volume.id) }
    }
    #expect(seen == [1, 2, 1, 2, 3, 4, 5])
  }

  @Test(.behaviour("A-CT-F12"), .behaviour("A-WC-38"))
  func `fetching or counting all rows throws if the query fails after its first row`() throws {
    let database = try Volume.library()
    let failing = Volume.where("abs(CASE id WHEN 4 THEN -9223372036854775808 ELSE id END)")
    try database.read { db in
      try #expect(failing.fetchOne(in: db)?.id == 1)
      #expect(throws: StorageError.self) { try failing.fetchAll(in: db) }
      #expect(throws: StorageError.self) { try failing.fetchValues(in: db) { $0.title } }
      #expect(throws: StorageError.self) { try failing.fetchCount(in: db) }
    }
    try database.write { db in try db.execute("UPDATE volume SET rating = 'five' WHERE id = 4") }
    try database.read { db in
      let error = #expect(throws: StorageError.self) { try Volume.fetchAll(in: db) }
      #expect(error?.code == .decodingFailed)
    }
  }

  @Test func `a subquery treats a table that does not exist yet as an empty table`() throws {
    let database = try Volume.library()
    try database.read { db in
      let named = Author.where { $0.name == "Austen" }.select { $0.id }
      try #expect(Volume.where { $0.authorID.isIn(named) }.fetchCount(in: db) == 0)
      try #expect(Volume.where { $0.authorID.isNotIn(named) }.fetchCount(in: db) == 5)
    }
    try database.write { db in
      try Author.table.insertAll(
        [Author(name: "Herbert"), Author(name: "Austen")], in: db)
    }
    try database.read { db in
      let named = Author.where { $0.name == "Austen" }.select { $0.id }
      try #expect(Volume.where { $0.authorID.isIn(named) }.fetchKeys(in: db) == [2, 3])
      try #expect(Volume.where { $0.authorID.isNotIn(named) }.fetchKeys(in: db) == [1, 4, 5])
    }
  }

  @Test
  func `fetchLastByPrimaryKey applies the query's limit and offset before it compares keys`() throws
  {
    try Volume.library().read { db in
      try #expect(
        Volume.order { $0.id }.limit(2, offset: 1).fetchLastByPrimaryKey(in: db)?.id == 3)
      try #expect(Volume.order { $0.id }.limit(3).fetchLastByPrimaryKey(in: db)?.id == 3)
      try #expect(
        Volume.order { $0.rating.descending }.limit(2).fetchLastByPrimaryKey(in: db)?.id == 2)
      try #expect(Volume.limit(0).fetchLastByPrimaryKey(in: db) == nil)
      try #expect(
        Volume.order { $0.id.descending }.offset(2).fetchLastByPrimaryKey(in: db)?.id == 3)
      try #expect(Volume.where { $0.rating == 4 }.fetchLastByPrimaryKey(in: db)?.id == 3)
    }
  }

  @Test func `keys that differ only in case address the same row if the key column ignores case`()
    throws
  {
    struct Word: TableRecord, Equatable {
      var text: String
      var count: Int
      static let table = Table(
        "word", Word.init, Column("text", \.text).primaryKey().collated("NOCASE"),
        Column("count", \.count))
    }
    try Database.inMemory().write { db in
      try Word.table.insertAll(
        [Word(text: "abx", count: 3), Word(text: "Other", count: 0)], in: db)
      try #expect(
        Word.find(keys: ["ABX", "other", "abx", "none"], in: db)
          == [Word(text: "abx", count: 3), Word(text: "Other", count: 0)])
      try #expect(
        Word.table.update(keys: ["ABX", "abx", "none"], in: db) {
          $0.count += 1
        } == 1)
      #expect(try Word.find("abx", in: db)?.count == 4)
      #expect(try Word.table.delete(keys: ["ABX", "abx"], in: db) == 1)
    }
  }
}
