import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of unusual arguments, names and file contents.
@Suite struct HostileInputTests {
  private struct Mark: TableRecord, Equatable {
    var rowid: Int
    var text: String

    static let table = Table("mark", Mark.init, Column("rowid", \.rowid), Column("text", \.text))
  }

  private struct Umlaut: TableRecord, Equatable {
    var great: String
    var small: String

    static let table = Table(
      "umlaut", Umlaut.init, Column("Ä", \.great), Column("ä", \.small))
  }

  /// A table with an apostrophe, a quote and a wildcard, each followed by a combining accent.
  ///
  /// In Swift, each pair is a different character; in SQLite, the first scalar retains its special
  /// meaning.
  private struct Accent: TableRecord, Equatable {
    var id: Int64?
    var title: String
    var note: String

    static let table = Table(
      "l'\u{301}accent", Accent.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("no\"\u{301}te", \.note).default("'\u{301} || x")
    ).fullText(\.title, \.note)
  }

  /// A record with a text key.
  ///
  /// Two such keys may be canonically equivalent.
  private struct Glyph: TableRecord, Equatable {
    var text: String
    var count: Int

    static let table = Table(
      "\u{301}glyph", Glyph.init, Column("text", \.text).primaryKey(), Column("count", \.count))
  }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Book.table.insertAll((1...5).map { Book(title: "book \($0)") }, in: db)
    }
    return database
  }

  @Test
  func `fetchPage accepts a page size greater than the row count, and throws for a size below 1`()
    throws
  {
    try library().read { db in
      let page = try Book.order { $0.title }.fetchPage(of: .max, in: db)
      #expect(page.records.count == 5)
      #expect(!page.hasMore)

      for size in [0, -1, .min] {
        let error = try #require(throws: StorageError.self) {
          try Book.order { $0.title }.fetchPage(of: size, in: db)
        }
        #expect(error.code == .misuse)
      }
    }
  }

  @Test func `fetching the first record of a query respects the query's offset and limit`() throws {
    struct Title: Decodable { var title: String }
    try library().read { db in
      let fourth = Book.order { $0.title }.offset(3)
      #expect(try fourth.fetchOne(as: Title.self, in: db)?.title == "book 4")
      #expect(try fourth.fetchOne(filling: { ColumnValues() }, in: db)?["title"] == .text("book 4"))

      let none = Book.limit(0)
      #expect(try none.fetchOne(as: Title.self, in: db) == nil)
      #expect(try none.fetchOne(filling: { ColumnValues() }, in: db) == nil)
      var values = ColumnValues()
      let isTaken = try values.assign(from: none, in: db)
      #expect(!isTaken)
    }
  }

  @Test func `column names are compared as in SQLite, ignoring the case of ASCII letters only`()
    throws
  {
    try Database.inMemory().write { db in
      let values: ColumnValues = ["Ä": .text("great"), "ä": .text("small")]
      let both = Umlaut(great: "great", small: "small")
      try #expect(Umlaut.table.insertAndFetch(from: values, in: db) == both)
      #expect(try Umlaut.fetchAll(sql: "SELECT * FROM umlaut", in: db) == [both])

      let twice: ColumnValues = ["title": .text("one"), "TITLE": .text("another")]
      let error = try #require(throws: StorageError.self) {
        try QueryCommand.insert(into: Book.table.definition, rows: [twice])
      }
      #expect(error.code == .misuse)
      #expect(!error.message.contains("another"))
    }
  }

  @Test func `using an invalid declaration throws an error that states the reason`() throws {
    struct Nothing: TableRecord { static let table = Table("nothing", { Nothing() }) }
    let one = Table("one", Mark.init, Column("rowid", \.rowid), Column("text", \.text))
    let tables = [
      Nothing.table.definition, one.fullText(\.rowid).definition,
      Tome.plain.fullText(\.title, \.title).definition,
    ]
    let reasons = ["no column", "reserves the column name", "\"title\" twice"]
    for (table, reason) in zip(tables, reasons) {
      let error = try #require(throws: StorageError.self) {
        try Database.inMemory().write { db in
          _ = try QueryCommand.createTable(table).run(in: db)
        }
      }
      #expect(error.code == .misuse)
      #expect(error.message.contains(reason), "\(error)")
      #expect("\(error)".contains("; "))
    }
  }

  @Test func `a search query of 300,000 words is rejected`() throws {
    let database = try Database.inMemory()
    try database.write { db in try Tome.table.insertAll(Tome.shelf, in: db) }
    let typed = String(repeating: "a ", count: 300_000)
    let queries = [
      Tome.search(matching: typed), Tome.search(FullTextQuery(matchingAll: typed)),
    ]

    for query in queries {
      let error = try #require(throws: StorageError.self) {
        try database.read { db in try query.fetchAll(in: db) }
      }
      #expect(error.code == .tooLarge)
    }
  }

  @Test
  func `if the full-text index lacks a row, the error for an update of the row suggests 'rebuild'`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try Tome.table.insertAll(Tome.shelf, in: db)
      try db.execute("INSERT INTO tome_search(tome_search) VALUES ('delete-all')")
    }

    let error = try #require(throws: StorageError.self) {
      try database.write { db in
        try Tome.table.update(Tome(id: 1, title: "Another"), in: db)
      }
    }
    #expect(error.code == .corrupted)
    #expect("\(error)".contains("'rebuild'"))

    try database.write { db in
      try db.execute("INSERT INTO tome_search(tome_search) VALUES ('rebuild')")
      try #expect(Tome.table.update(Tome(id: 1, title: "Another"), in: db) == 1)
      #expect(try Tome.search(matching: "another").fetchCount(in: db) == 1)
    }
  }

  @Test
  func `ColumnValuesEncoder supports superEncoder and rejects an empty nested container`()
    throws
  {
    struct Beside: Encodable {
      enum CodingKeys: CodingKey { case id, note, list }
      var hasList = false
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .id)
        var note = container.superEncoder(forKey: .note).singleValueContainer()
        try note.encode("kept")
        if hasList { _ = container.nestedUnkeyedContainer(forKey: .list) }
      }
    }

    try #expect(
      ColumnValuesEncoder().encode(Beside()) == ["id": .integer(1), "note": .text("kept")])
    #expect(throws: StorageError.self) { try ColumnValuesEncoder().encode(Beside(hasList: true)) }
  }

  @Test func `128-bit integers are encoded if they fit into 64 bits`() throws {
    struct Count: Codable, Equatable {
      var all: Int128
      var some: UInt128?
    }
    for count in [Count(all: -5, some: 7), Count(all: 0, some: nil)] {
      let values = try ColumnValuesEncoder().encode(count)
      #expect(try ColumnValuesDecoder().decode(Count.self, from: values) == count)
    }

    let error = try #require(throws: StorageError.self) {
      try ColumnValuesEncoder().encode(Count(all: .max, some: nil))
    }
    #expect(error.code == .encodingFailed)
  }

  @Test func `INTEGER PRIMARY KEY DESC is rejected because it does not alias the rowid`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE author(id INTEGER PRIMARY KEY DESC, name TEXT NOT NULL UNIQUE)")
    }

    let error = try #require(throws: StorageError.self) {
      try database.write { db in try Author.table.insert(Author(name: "Ada"), in: db) }
    }
    #expect(error.code == .misuse)
    #expect(error.message.contains("DESC"))
  }

  @Test func `a write throws a misuse error if a temporary table or view hides the declared table`()
    throws
  {
    for kind in [
      "TABLE author(id INTEGER PRIMARY KEY, name TEXT)", "VIEW author AS SELECT 1 AS id",
    ] {
      let database = try Database.inMemory()
      let error = try #require(throws: StorageError.self) {
        try database.write { db in
          try db.execute(SQL(unchecked: "CREATE TEMP \(kind)"))
          try Author.table.insert(Author(name: "Ada"), in: db)
        }
      }
      #expect(error.code == .misuse)
      #expect(error.message.contains("temporary"))
    }
  }

  @Test func `upserting a virtual record without columns inserts a row of default values`() throws {
    struct Shelf: TableRecord, Equatable {
      var id: Int64?
      var name: String?

      static let table = Table(
        "shelf", Shelf.init, Column("id", \.id).primaryKey(), Column("name", \.name))
    }
    try Database.inMemory().write { db in
      let nothing = ColumnValues()
      let shelves = try (0..<2).map { _ in
        try Shelf.table.upsertAndFetch(from: nothing, in: db) as Shelf
      }
      #expect(shelves == [Shelf(id: 1), Shelf(id: 2)])
    }
  }

  @Test
  func `inserting into a vertical split overwrites a leftover row of the second table`()
    throws
  {
    struct Name: TableRecord {
      var id: Int64?
      var name: String

      static let table = Table(
        "name", Name.init, Column("id", \.id).primaryKey(), Column("name", \.name))
    }
    struct Life: TableRecord {
      var id: Int64?
      var biography: String?

      static let table = Table(
        "life", Life.init, Column("id", \.id).primaryKey(), Column("biography", \.biography))
    }
    struct Reader: Sendable, Equatable {
      var id: Int64?
      var name: String
      var biography: String?

      static let split = VerticalSplit(
        Table(
          "reader_whole", Reader.init, Column("id", \.id).primaryKey(), Column("name", \.name),
          Column("biography", \.biography)), of: Name.table, Life.table)
    }
    try Database.inMemory().write { db in
      try Life.table.insert(Life(id: 1, biography: "of somebody gone"), in: db)
      let ada = try Reader.split.insertAndFetch(Reader(name: "Ada"), in: db)
      #expect(ada == Reader(id: 1, name: "Ada", biography: nil))
    }
  }

  @Test func `replacing a row of a full-text table throws unless recursive triggers are enabled`()
    throws
  {
    let deaf = try Database.inMemory()
    let error = try #require(throws: StorageError.self) {
      try deaf.write { db in
        try Tome.table.insertAll(Tome.shelf, in: db)
        try Tome.table.insert(Tome(id: 1, title: "Again"), onConflict: .replace, in: db)
      }
    }
    #expect(error.code == .misuse)

    let options = DatabaseOptions(setUp: { db in try db.execute("PRAGMA recursive_triggers = 1") })
    try Database.inMemory(options).write { db in
      try Tome.table.insertAll(Tome.shelf, in: db)
      try Tome.table.insert(Tome(id: 1, title: "Again"), onConflict: .replace, in: db)
      try db.execute("INSERT INTO tome_search(tome_search, rank) VALUES ('integrity-check', 1)")
      #expect(try Tome.search(matching: "example").fetchCount(in: db) == 0)
      #expect(try Tome.search(matching: "again").fetchCount(in: db) == 1)
    }
  }

  @Test(arguments: [
    ["\u{e9}", "e\u{301}"], ["\u{ac00}", "\u{1100}\u{1161}"], ["\u{212b}", "\u{c5}"],
  ])
  func `canonically equivalent strings are two different keys of a table`(keys: [String]) throws {
    try Database.inMemory().write { db in
      try Glyph.table.insertAll(keys.map { Glyph(text: $0, count: 1) }, in: db)
      #expect(try Glyph.find(keys: keys + keys, in: db).count == 2)
      #expect(try Glyph.table.update(keys: keys + keys, in: db) { $0.count = 2 } == 2)
      #expect(try Glyph.where { $0.count == 2 }.fetchCount(in: db) == 2)
      #expect(SQLValue.text(keys[0]) != .text(keys[1]))
    }
  }

  @Test
  func `preparing a table whose name begins with U+0301 drops an undeclared full-text index`()
    throws
  {
    try Database.inMemory().write { db in
      let table = Table(
        "\u{301}glyph", Glyph.init, Column("text", \.text), Column("count", \.count).primaryKey())
      try table.fullText(\.text).prepare(in: db)
      try table.prepare(in: db)
      #expect(try db.schema().map(\.kind) == [.table])
    }
  }

  @Test func `a special character followed by a combining accent is escaped in SQL`() throws {
    try Database.inMemory().write { db in
      try Accent.table.insert(Accent(title: "50%\u{301} [a]", note: "none"), in: db)
      try Accent.table.insert(Accent(title: "500 a", note: "none"), in: db)
      let values: ColumnValues = ["title": .text("Emma")]
      let fallen = try Accent.table.insertAndFetch(from: values, in: db)
      #expect(fallen.note == "'\u{301} || x")

      for ignoringCase in [true, false] {
        let found = try Accent.where {
          $0.title.hasPrefix("50%\u{301}", ignoringCase: ignoringCase)
        }.fetchAll(in: db)
        #expect(found.map(\.id) == [1])
      }
      #expect(try Accent.where { $0.title.contains("[\u{301}a]") }.fetchCount(in: db) == 0)
      #expect(try Accent.where { $0.title.contains("[a]") }.fetchCount(in: db) == 1)

      let query = FullTextQuery(matchingAll: "none").within(columns: ["no\"\u{301}te"])
      #expect(try Accent.search(query).fetchCount(in: db) == 2)
    }
  }
}
