import Testing
import UndercroftCore
import UndercroftMigration
import UndercroftRelational
import UndercroftSQLite

@Suite struct RedistributingTests {
  struct Visit: TableRecord, Equatable {
    let id: Int64?
    var reader: String
    var minutes: Int = 0

    static let table = Table(
      "visit", Visit.init, Column("id", \.id).primaryKey(),
      Column("reader", \.reader).indexed(), Column("minutes", \.minutes).default(0))
    static let four = table.partitioned(into: 4)
    static let six = table.partitioned(into: 6)
    static let three = table.partitioned(into: 3)

    init(id: Int64? = nil, reader: String, minutes: Int = 0) {
      (self.id, self.reader, self.minutes) = (id, reader, minutes)
    }
  }

  private func counts(_ database: Database, _ count: Int) throws -> [Int] {
    try database.read { db in
      try (0..<count).map { index in
        try db.fetchValue("SELECT count(*) FROM \(identifier: "visit_\(index)")", as: Int.self)
      }
    }
  }

  @Test func `rows of a partitioned table are redistributed to more and to fewer partitions`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Visit.four.insertAll(
        (1...20).map { Visit(reader: "reader \($0 % 3)", minutes: $0) }, in: db)
    }
    let before = try database.read { db in try Visit.four.order { $0.id }.fetchAll(in: db) }

    try database.step { db in try db.redistribute("visit", key: "id", from: 4, to: 6) }

    #expect(try counts(database, 6) == [3, 4, 4, 3, 3, 3])
    let indexes = try database.read { db in
      try db.schema().filter { $0.kind == .index && $0.table == "visit_5" }.map(\.name)
    }
    #expect(indexes == ["undercroft.visit_5.reader"])
    #expect(try database.read { db in try Visit.six.order { $0.id }.fetchAll(in: db) } == before)
    #expect(try database.read { db in try Visit.six.find(17, in: db)?.id } == 17)

    try database.write { db in
      let texts = try db.schema()
      try Visit.six.delete(try #require(try Visit.six.find(17, in: db)), in: db)
      #expect(try db.schema() == texts)
      try Visit.six.insert(Visit(id: 17, reader: "reader 2", minutes: 17), in: db)
      try db.redistribute("visit", key: "id", from: 6, to: 3)
    }

    #expect(try counts(database, 3) == [6, 7, 7])
    #expect(try database.read { db in try db.tableExists("visit_3") } == false)
    #expect(try database.read { db in try Visit.three.order { $0.id }.fetchAll(in: db) } == before)
  }

  @Test
  func `redistributing partitions succeeds if two rows share a unique value only during the move`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      for index in 0..<2 {
        try db.execute(
          "CREATE TABLE \(identifier: "card_\(index)") (id INTEGER PRIMARY KEY, code UNIQUE, fee REAL)"
        )
      }
      try db.execute("INSERT INTO card_0 VALUES (4, 'x', 1.0), (6, 7, 2.5)")
      try db.execute("INSERT INTO card_1 VALUES (3, 'x', 3.0), (5, x'00', NULL)")
    }

    try database.step { db in try db.redistribute("card", key: "id", from: 2, to: 3) }

    try #expect(
      database.rows("SELECT id, typeof(code), fee FROM card_0") == [
        "3|text|3.0", "6|integer|2.5",
      ])
    #expect(try database.rows("SELECT id, code, typeof(fee) FROM card_1") == ["4|x|real"])
    #expect(try database.rows("SELECT id, code, fee FROM card_2") == ["5|1 bytes|-"])
    try #expect(
      database.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%moving%'") == ["0"])
  }

  @Test
  func `redistributing partitions throws and moves no row if a unique value would occur twice`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      for index in 0..<2 {
        try db.execute(
          "CREATE TABLE \(identifier: "card_\(index)") (id INTEGER PRIMARY KEY, code UNIQUE)")
      }
      try db.execute("INSERT INTO card_0 VALUES (6, 'x')")
      try db.execute("INSERT INTO card_1 VALUES (3, 'x')")
    }

    try database.refuses(code: .constraintViolated) { db in
      try db.redistribute("card", key: "id", from: 2, to: 3)
    }

    #expect(try database.rows("SELECT id FROM card_0") == ["6"])
  }

  @Test
  func `redistribute throws for a repeated unique value and for a wrong current partition count`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      for index in 0..<2 {
        try db.execute(
          """
          CREATE TABLE \(identifier: "stamp_\(index)") (number INTEGER PRIMARY KEY AUTOINCREMENT,
            code TEXT UNIQUE, twice INTEGER AS (number * 2))
          """)
      }
      for (number, code) in [(2, "a"), (4, "b"), (3, "a"), (7, "c")] {
        try db.execute(
          "INSERT INTO \(identifier: "stamp_\(number % 2)")(number, code) VALUES (\(number), \(code))"
        )
      }
      try db.execute("DELETE FROM stamp_1 WHERE number = 7")
    }

    // The codes are unique within each partition, but not in a single table.
    #expect(throws: StorageError.self) {
      try database.write { db in try db.redistribute("stamp", key: "number", from: 2, to: 1) }
    }

    let wrong = #expect(throws: StorageError.self) {
      try database.write { db in try db.redistribute("stamp", key: "number", from: 3, to: 5) }
    }
    #expect(wrong?.code == .misuse)
    #expect(throws: StorageError.self) {
      try database.write { db in try db.redistribute("stamp", key: "number", from: 0, to: 5) }
    }

    let before = try database.read { db in
      try db.fetchAll("SELECT number FROM stamp_0 UNION ALL SELECT number FROM stamp_1 ORDER BY 1")
      {
        row in try row[0] as Int
      }
    }
    #expect(before == [2, 3, 4])
  }

  @Test func `an AUTOINCREMENT key is not reused after a partitioned table is redistributed`()
    throws
  {
    struct Ticket: TableRecord {
      var id: Int64?
      var name: String
      static let table = Table(
        "ticket", Ticket.init, Column("id", \.id).primaryKey(isAutoincrementing: true),
        Column("name", \.name))
      static let three = table.partitioned(into: 3)
      static let two = table.partitioned(into: 2)
    }
    let database = try Database.inMemory()

    let last = try database.write { db in
      try Ticket.three.insertAll((1...5).map { Ticket(name: "\($0)") }, in: db)
      try Ticket.three.delete(Ticket(id: 5, name: ""), in: db)
      try db.redistribute("ticket", key: "id", from: 3, to: 2)
      return try Ticket.two.insertAndFetch(Ticket(name: "next"), in: db)
    }

    #expect(last.id == 6)
  }

  @Test func `redistribution drops the declared full-text tables of partitions that are removed`()
    throws
  {
    struct Tome: TableRecord {
      var id: Int64?
      var title: String
      static let table = Table(
        "tome", Tome.init, Column("id", \.id).primaryKey(), Column("title", \.title)
      ).fullText(\.title)
    }
    let two = Tome.table.partitioned(into: 2)
    let one = Tome.table.partitioned(into: 1)
    try Database.inMemory().write { db in
      try two.insertAll(["a", "b", "c", "d"].map { Tome(title: $0) }, in: db)
      #expect(try db.tableExists("tome_1_search"))
      try db.redistribute("tome", key: "id", from: 2, to: 1)
      #expect(try !db.tableExists("tome_1_search"))
      #expect(try one.fetchCount(in: db) == 4)
    }
  }

  @Test
  func `redistribution drops FTS5 tables of removed partitions and adds indexes to new partitions`()
    throws
  {
    let database = try Database.inMemory()

    try database.step { db in
      try db.executeScript(
        """
        CREATE TABLE "my book_0" (id INTEGER PRIMARY KEY, title TEXT) STRICT;
        CREATE INDEX titles ON "my book_0"(title);
        CREATE TABLE "my book_1" (id INTEGER PRIMARY KEY, title TEXT) STRICT;
        CREATE VIRTUAL TABLE some_words USING fts5(title, content="my book_1", content_rowid=id);
        INSERT INTO "my book_0" VALUES (2, 'b'); INSERT INTO "my book_1" VALUES (-1, 'a');
        """)
      try db.redistribute("my book", key: "id", from: 2, to: 1)
      #expect(try !db.tableExists("some_words"))
      try db.redistribute("my book", key: "id", from: 1, to: 3)
    }

    #expect(try database.rows("SELECT id FROM \"my book_2\"") == ["-1", "2"])
    let indexes = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'index'")
    #expect(indexes == ["titles", "titles_my book_1", "titles_my book_2"])
  }

  @Test func `redistributing rows throws if foreign keys reference the rows`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE "book_0" (id INTEGER PRIMARY KEY);
        CREATE TABLE loan (book INTEGER REFERENCES book_0(id) ON DELETE CASCADE);
        INSERT INTO book_0 VALUES (0), (1), (2), (3);
        INSERT INTO loan VALUES (1), (2), (3);
        """)
    }

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.redistribute("book", key: "id", from: 1, to: 2) }
    }

    #expect(error?.message.contains("\"loan\" refers to \"book_0\"") == true)
    let loans = try database.fetchValue("SELECT count(*) FROM loan", as: Int.self)
    #expect(loans == 3)
  }
}
