import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of reading tables that no write has created or extended yet.
@Suite struct ReadSubstituteTests {
  /// Two declarations of one table.
  ///
  /// Each has columns that the other does not have.
  struct Card: TableRecord, Equatable {
    var id: Int64?
    var city: String
    var stars: Int

    static let table = Table(
      "card", Card.init, Column("id", \.id).primaryKey(),
      Column("city", \.city).collated("NOCASE").default("Berlin"),
      Column("stars", \.stars).default(3))
  }

  struct Letter: TableRecord, Equatable {
    var id: Int64?
    var note: String?
    var isOpen: Bool

    static let table = Table(
      "card", Letter.init, Column("id", \.id).primaryKey(), Column("note", \.note),
      Column("is_open", \.isOpen).default(true))
  }

  @Test
  func `a query that reads a missing table through two declarations returns no rows`() throws {
    let database = try Database.inMemory()

    try database.read { db in
      let pairs = try Card.join(Letter.all) { $0.id == $1.id }.fetchAll(in: db)
      #expect(pairs.isEmpty)
      let open = Card.where { $0.id.isIn(Letter.where { $0.isOpen }.select { $0.id }) }
      #expect(try open.fetchAll(in: db) == [])
      #expect(try open.exists(in: db) == false)
    }
  }

  @Test
  func `a join of two declarations of one table reads the defaults of all missing columns`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE card (id INTEGER PRIMARY KEY, note TEXT)")
      try db.execute("INSERT INTO card VALUES (1, 'first'), (2, NULL)")
    }

    try database.read { db in
      let pairs = try Card.join(Letter.all) { $0.id == $1.id }.order { card, _ in card.id }
        .fetchAll(in: db)
      #expect(
        pairs.map(\.0)
          == [Card(id: 1, city: "Berlin", stars: 3), Card(id: 2, city: "Berlin", stars: 3)])
      #expect(
        pairs.map(\.1)
          == [Letter(id: 1, note: "first", isOpen: true), Letter(id: 2, note: nil, isOpen: true)])
    }
  }

  @Test func `a missing column is compared by the declared collation before and after it is added`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE card (id INTEGER PRIMARY KEY)")
      try db.execute("INSERT INTO card VALUES (1), (2)")
    }
    let found = Card.where { $0.city == "berlin" }

    #expect(try database.read { db in try found.fetchCount(in: db) } == 2)
    try database.write { db in try Card.table.prepare(in: db) }
    #expect(try database.read { db in try found.fetchCount(in: db) } == 2)
  }

  @Test
  func `a read of a missing generated column returns computed values of the declared type`() throws
  {
    struct Fine: TableRecord, Equatable {
      var id: Int64?
      var days: Int
      var fee: Double?
      var text: String?
      var double: Double?
      static let table = Table(
        "fine", Fine.init, Column("id", \.id).primaryKey(), Column("days", \.days),
        Column("fee", \.fee).generated(as: "days * 2"),
        Column("text", \.text).generated(as: "days"),
        Column("double", \.double).generated(as: "fee * 2"))
    }
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE fine (id INTEGER PRIMARY KEY, days INTEGER NOT NULL)")
      try db.execute("INSERT INTO fine VALUES (1, 3)")
    }
    let expected = [Fine(id: 1, days: 3, fee: 6, text: "3", double: 12)]

    #expect(try database.read { db in try Fine.fetchAll(in: db) } == expected)
    try database.write { db in try Fine.table.prepare(in: db) }
    #expect(try database.read { db in try Fine.fetchAll(in: db) } == expected)
  }

  @Test func `a query that searches a missing full-text table twice returns no rows`() throws {
    let database = try Database.inMemory()

    try database.read { db in
      let found = Tome.search(matching: "swift").where {
        $0.id.isIn(Tome.search(matching: "boats").select { $0.id })
      }
      try #expect(found.fetchAll(in: db) == [])
    }
  }

  @Test
  func `a read-only connection can read a derived table whose tables or columns are missing`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let writer = try Database(at: url)
      try writer.write { db in
        try db.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY, reader TEXT NOT NULL)")
        try db.execute("INSERT INTO visit VALUES (1, 'Ada')")
      }
      try writer.close()
      let reader = try Database(at: url, DatabaseOptions(isReadOnly: true))
      defer { try? reader.close() }

      struct Name {
        var reader: String
        static let all = TableUnion(
          Table("name", Name.init, Column("reader", \.reader)), of: Seen.table,
          CountedVisit.partitioned.table)
      }
      struct Seen: TableRecord {
        var id: Int64?
        var reader: String
        var minutes: Int
        static let table = Table(
          "visit", Seen.init, Column("id", \.id).primaryKey(), Column("reader", \.reader),
          Column("minutes", \.minutes).default(5))
      }
      try reader.read { db in
        try #expect(Name.all.fetchAll(in: db).map(\.reader) == ["Ada"])
        try #expect(CountedVisit.partitioned.fetchCount(in: db) == 0)
        let seen = Seen.where { $0.reader.isIn(Name.all.select { $0.reader }) }
        try #expect(seen.fetchAll(in: db).map(\.minutes) == [5])
      }
    }
  }
}
