import BehaviourTrait
import Synchronization
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// A book with full-text search, declared in several ways for the same table.
struct Tome: TableRecord, Equatable {
  var id: Int64?
  var title: String
  var note: String?
  var rating: Int = 0

  static let plain = Table(
    "tome", Tome.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("note", \.note), Column("rating", \.rating).default(0))

  static let table = plain.fullText(\.title, \.note)

  static let shelf = [
    Tome(title: "Swift by Example", note: "about programming in Swift 6", rating: 4),
    Tome(title: "Running Rivers", note: "the runner who programmed the café", rating: 5),
    Tome(title: "统一存储 Swift 指南", note: "数据库 and 123 boats", rating: 3),
    Tome(title: "Boats", note: nil, rating: 2),
  ]
}

@Suite struct FullTextTests {
  private func database(_ table: Table<Tome> = Tome.table) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in try table.insertAll(Tome.shelf, in: db) }
    return database
  }

  private func ids(
    _ query: String, _ table: Table<Tome> = Tome.table, in database: Database
  ) throws -> Set<Int64> {
    try database.read { db in
      Set(try table.search(matching: query).fetchAll(in: db).map { $0.id ?? 0 })
    }
  }

  @Test(.behaviour("A-WC-41"))
  func `a search supports words, prefixes, digits, column filters, NEAR and boolean operators`()
    throws
  {
    let database = try database()
    let expected: [(String, Set<Int64>)] = [
      ("swift", [1, 3]), ("SWIFT", [1, 3]), ("cafe", [2]), ("program*", [1, 2]), ("program", []),
      ("123", [3]), ("6", [1]), ("12*", [3]), ("title : swift", [1, 3]), ("note : swift", [1]),
      ("NEAR(about swift, 2)", [1]), ("NEAR(about swift, 1)", []), ("swift AND boats", [3]),
      ("swift OR boats", [1, 3, 4]), ("swift NOT boats", [1]), ("\"by example\"", [1]),
      ("nothing", []),
    ]
    for (query, found) in expected {
      #expect(try ids(query, in: database) == found, "\(query)")
    }
  }

  @Test func `full-text queries built from user input can be combined with operators`() throws {
    let database = try database()
    let swift = FullTextQuery(matchingAll: "swift")
    let boats = FullTextQuery(matchingAll: "boats")
    let expected: [(FullTextQuery, Set<Int64>)] = [
      (swift && boats, [3]), (swift || boats, [1, 3, 4]), (swift.excluding(boats), [1]),
      (swift.within(columns: ["note"]), [1]),
      (FullTextQuery(near: "swift about", within: 2), [1]),
      (FullTextQuery(near: "swift about", within: 1), []),
      ((swift || boats).within(columns: ["title"]).excluding(swift), [4]),
      (FullTextQuery(matchingAll: "\" OR title:*"), []),
    ]
    for (query, found) in expected {
      let ids = try database.read { db in try Tome.search(query).fetchAll(in: db).map(\.id) }
      #expect(Set(ids.compactMap { $0 }) == found, "\(query.text)")
    }
  }

  @Test(.behaviour("A-WC-41"))
  func `searches with stemming and CJK tokenizers find word stems and ideographs`() throws {
    let stems = Tome.plain.fullText(\.title, \.note, tokenizer: "porter unicode61")

    #expect(try ids("programming", stems, in: database(stems)) == [1, 2])
    #expect(try ids("boat", stems, in: database(stems)) == [3, 4])

    let mixed = Tome.plain.fullText(\.title, \.note, tokenizer: "undercroft_cjk")
    let database = try database(mixed)
    for query in ["存储", "存储 AND swift", "数据", "库 AND 123", "指"] {
      #expect(try ids(query, mixed, in: database) == [3], "\(query)")
    }
  }

  @Test(.behaviour("A-WC-41"))
  func `search highlights mark the matched words, and snippets show the words around a match`()
    throws
  {
    let database = try database()
    let search = Tome.search(matching: "swift").order { $0.id }
    let highlights = try database.read { db in
      try search.fetchHighlights(of: \.title, marks: ("<b>", "</b>"), in: db)
    }
    #expect(highlights.map(\.text) == ["<b>Swift</b> by Example", "统一存储 <b>Swift</b> 指南"])
    #expect(highlights.map(\.record.id) == [1, 3])

    let snippets = try database.read { db in
      try search.limit(1).fetchSnippets(of: \.note, wordCount: 2, in: db)
    }
    #expect(snippets.map(\.text) == ["…[Swift] 6"])

    let error = #expect(throws: StorageError.self) {
      try database.read { db in try search.fetchSnippets(of: \.rating, in: db) }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `search results fetched as values, keys or columns are ordered by rank`() throws {
    let database = try database()
    try database.write { db in
      try Tome.table.insert(Tome(title: "Swift Swift", note: "Swift"), in: db)
      let search = Tome.search(matching: "swift")

      #expect(try search.fetchAll(in: db).first?.id == 5)
      #expect(try search.limit(1).fetchValues(in: db) { $0.title } == ["Swift Swift"])
      #expect(try search.limit(1).fetchKeys(in: db) == [5])
      let pairs = try search.limit(1).select { ($0.id, $0.rating) }.fetchAll(in: db)
      #expect(pairs.first?.0 == 5)
      #expect(try search.fetchDistinctValues(in: db) { $0.title }.count == 3)
      #expect(try search.order { $0.id }.limit(1).fetchKeys(in: db) == [1])
    }
  }

  @Test
  func `search results are ordered by rank and can be filtered, reordered, limited and deleted`()
    throws
  {
    let database = try database()
    let search = Tome.search(FullTextQuery(matchingAll: "swift"))
    let titles = try database.read { db in try search.fetchAll(in: db).map(\.id) }
    // The first record contains the word twice.
    #expect(titles == [1, 3])

    func ids(_ search: TableQuery<Tome>) throws -> [Int64?] {
      try database.read { db in try search.fetchAll(in: db).map(\.id) }
    }
    #expect(try ids(search.where { $0.rating > 3 && $0.title.like("Swift%") }) == [1])
    #expect(try ids(search.order { $0.rating }) == [3, 1])
    #expect(try ids(search.limit(1, offset: 1)) == [3])
    #expect(try database.read { db in try search.fetchCount(in: db) } == 2)
    #expect(try database.read { db in try search.exists(in: db) })
    try #expect(
      database.read { db in try search.fetchValues(in: db) { $0.title } }.first
        == "Swift by Example")

    let count = try database.write { db in try search.limit(1).delete(in: db) }
    #expect(count == 1)
    #expect(try ids(search) == [3])
  }

  @Test
  func `every insert, update, delete and rollback of rows updates the full-text index`() throws {
    let database = try database()
    try database.write { db in
      try Tome.table.update(Tome(id: 4, title: "Ships"), in: db)
      try Tome.where { $0.id == 1 }.update(in: db) { $0.note = "on boats" }
      try Tome.where { $0.id == 2 }.delete(in: db)
      try db.execute("UPDATE tome SET id = 30 WHERE id = 3")
      try db.execute(
        "INSERT INTO tome(id, title) VALUES (30, 'x') ON CONFLICT(id) DO UPDATE SET title = 'kayak'"
      )
      try? db.transaction { db in
        try Tome.table.insert(Tome(title: "undone"), in: db)
        throw CancellationError()
      }
    }

    #expect(try ids("boats", in: database) == [1, 30])
    #expect(try ids("ships", in: database) == [4])
    #expect(try ids("kayak", in: database) == [30])
    #expect(try ids("programmed OR programming OR undone OR swift", in: database) == [1])

    try database.write { db in
      try Tome.table.truncate(in: db)
      try db.execute("INSERT INTO tome_search(tome_search, rank) VALUES ('integrity-check', 1)")
    }
    #expect(try ids("boats", in: database) == [])
  }

  @Test func `prepare(in:) creates, rebuilds or drops a full-text index to match the declaration`()
    throws
  {
    let database = try database(Tome.plain)
    #expect(try database.read { db in try db.tableExists("tome_search") } == false)

    try database.write { db in try Tome.table.prepare(in: db) }
    #expect(try ids("cafe", in: database) == [2])

    let stems = Tome.plain.fullText(\.note, tokenizer: "porter")
    try database.write { db in try stems.prepare(in: db) }
    #expect(try ids("program", stems, in: database) == [1, 2])
    #expect(try ids("rivers", stems, in: database) == [])

    try database.write { db in try Tome.plain.prepare(in: db) }
    let schema = try database.read { db in try db.schema() }
    #expect(schema.map(\.name) == ["tome"])
  }

  @Test func `renaming or dropping a table also renames or drops its full-text index`() throws {
    let database = try database()
    let renamed = Table(
      "volume", Tome.init, Column("id", \.id).primaryKey(), Column("title", \.title),
      Column("note", \.note), Column("rating", \.rating)
    ).fullText(\.title)

    try database.write { db in
      try QueryCommand.renameTable("tome", to: "volume").run(in: db)
      try renamed.prepare(in: db)
      #expect(try db.tableExists("tome_search") == false)
    }
    #expect(try ids("swift", renamed, in: database) == [1, 3])

    try database.write { db in
      // Dropping the table with raw SQL leaves the full-text table behind.
      try db.execute("DROP TABLE volume")
      try renamed.insert(Tome(title: "Kayaks"), in: db)
    }
    #expect(try ids("swift", renamed, in: database) == [])
    #expect(try ids("kayaks", renamed, in: database) == [1])

    try database.write { db in try QueryCommand.dropTable(renamed.definition).run(in: db) }
    let schema = try database.read { db in try db.schema() }
    #expect(schema.isEmpty)
  }

  @Test
  func `a search finds nothing in a missing table, and throws if a table has no full-text index`()
    throws
  {
    let empty = try Database.inMemory()
    #expect(try ids("swift", in: empty) == [])

    let database = try database(Tome.plain)
    #expect(try database.read { db in try Tome.fetchAll(in: db) }.count == 4)
    let error = #expect(throws: StorageError.self) { _ = try ids("swift", in: database) }
    #expect(
      error?.message == """
        cannot search the table "tome": its full-text index is missing in the database, or \
        differs from the declaration of the table; to build the index, call prepare() on the \
        DataCenter at launch, or prepare(in: db) on the table inside write { db in … }, with a \
        database that is not open read-only
        """)

    try database.write { db in try Tome.table.prepare(in: db) }
    #expect(try ids("swift", in: database) == [1, 3])
    #expect(throws: StorageError.self) { try ids("swift", Tome.plain, in: database) }
  }

  @Test
  func `preparing a table throws and changes nothing if the name of the full-text table is in use`()
    throws
  {
    let database = try database(Tome.plain)
    try database.write { db in
      try db.execute("CREATE TABLE tome_search(mine)")
      try db.execute(
        "CREATE TRIGGER by_hand AFTER INSERT ON tome BEGIN INSERT INTO tome_search VALUES (1); END")
      let error = #expect(throws: StorageError.self) { try Tome.table.prepare(in: db) }
      #expect(error?.code == .misuse)
      try Tome.plain.prepare(in: db)
      let names = try db.schema().map(\.name)
      #expect(names == ["tome", "tome_search", "by_hand"])
    }
  }

  @Test(.behaviour("A-CT-X04"))
  func `if a table's tokenizer is unknown, every insert throws and does not create the table`()
    throws
  {
    let database = try Database.inMemory()
    let table = Tome.plain.indexed(\.rating).fullText(\.title, tokenizer: "nonsense")
    for _ in 1...2 {
      #expect(throws: StorageError.self) {
        try database.write { db in try table.insert(Tome(title: "x"), in: db) }
      }
    }

    let schema = try database.read { db in try db.schema() }
    #expect(schema.isEmpty)
  }

  @Test
  func `rows that a foreign key cascade deletes are also removed from the full-text index`() throws
  {
    struct Linked: TableRecord {
      var id: Int64?

      static let table = Table("linked", Linked.init, Column("id", \.id).primaryKey())
    }

    struct Page: TableRecord {
      var id: Int64?
      var tome: Int64?
      var text: String

      static let table = Table(
        "page", Page.init, Column("id", \.id).primaryKey(),
        Column("tome", \.tome).references(Linked.self, onDelete: .cascade), Column("text", \.text)
      ).fullText(\.text)
    }
    let database = try Database.inMemory()
    try database.write { db in
      let tome = try Linked.table.insertAndFetch(Linked(), in: db)
      try Page.table.insert(Page(tome: tome.id, text: "once upon a time"), in: db)
      try db.execute("DELETE FROM linked")
    }

    let count = try database.read { db in
      try db.fetchValue(
        "SELECT count(*) FROM page_search WHERE page_search MATCH 'time'", as: Int.self)
    }
    #expect(count == 0)
  }

  /// A tokenizer that counts how many strings are tokenized for highlighting.
  private struct CountingTokenizer: FullTextTokenizer {
    private static let shown = Mutex(0)

    init(arguments: [String]) {}

    static func takeCount() -> Int {
      shown.withLock { count in
        defer { count = 0 }
        return count
      }
    }

    func tokenize(
      _ text: String, for purpose: FullTextTokenizerPurpose, emit: (FullTextToken) throws -> Void
    ) throws {
      if purpose == .display { Self.shown.withLock { $0 += 1 } }
      var offset = 0
      for word in text.split(separator: " ", omittingEmptySubsequences: false) {
        let end = offset + word.utf8.count
        if !word.isEmpty { try emit(FullTextToken(String(word), at: offset..<end)) }
        offset = end + 1
      }
    }
  }

  @Test func `fetchSnippets tokenizes only the rows within the limit of the query`() throws {
    let table = Tome.plain.fullText(\.title, \.note, tokenizer: "counting")
    var options = DatabaseOptions()
    options.setUp = { db in try db.add(CountingTokenizer.self, named: "counting") }
    let database = try Database.inMemory(options)
    try database.write { db in
      try table.insertAll(
        (1...60).map {
          Tome(title: "boat number \($0)", note: "one boat", rating: $0 % 3)
        }, in: db)
    }
    let search = table.search(matching: "boat")

    try database.read { db in
      _ = CountingTokenizer.takeCount()
      let all = try search.fetchSnippets(of: \.title, in: db)
      let perRow = CountingTokenizer.takeCount() / 60
      #expect(perRow > 0)
      for query in [
        search.limit(3), search.limit(3, offset: 5), search.where { $0.rating == 1 }.limit(3),
        search.order { $0.id.descending }.limit(3),
      ] {
        let snippets = try query.fetchSnippets(of: \.title, in: db)
        #expect(CountingTokenizer.takeCount() <= 3 * perRow)
        #expect(try snippets.map(\.record) == query.fetchAll(in: db))
        #expect(snippets.allSatisfy { $0.text == "[boat] number \($0.record.id ?? 0)" })
        let highlights = try query.fetchHighlights(of: \.title, in: db)
        #expect(highlights == snippets)
        _ = CountingTokenizer.takeCount()
      }
      // Rows of the same rank are ordered by rowid.
      #expect(all.map(\.record.id) == (1...60).map { $0 })
      try #expect(
        search.limit(3, offset: 5).fetchSnippets(of: \.title, in: db) == Array(all[5..<8]))
      #expect(try search.limit(0).fetchSnippets(of: \.title, in: db) == [])
    }
  }

  @Test func `a full-text query can match every word as a prefix, or only the last word`() throws {
    let database = try database()
    let expected: [(FullTextQuery, Set<Int64>)] = [
      (FullTextQuery(matchingAll: "sw exam", prefixes: .all), [1]),
      (FullTextQuery(matchingAll: "sw exam", prefixes: .last), []),
      (FullTextQuery(matchingAll: "swift exam", prefixes: .last), [1]),
      (FullTextQuery(matchingAll: "swift exam", lastIsPrefix: true), [1]),
      (FullTextQuery(matchingAll: "swift exam", prefixes: .none), []),
      (FullTextQuery(matchingAny: "exam boa", prefixes: .all), [1, 3, 4]),
      (FullTextQuery(matchingAny: "exam boa", prefixes: .last), [3, 4]),
      (FullTextQuery(matchingAll: "sw * \" 12", prefixes: .all), [3]),
      (FullTextQuery(matchingAll: "", prefixes: .all), []),
    ]

    for (query, found) in expected {
      let ids = try database.read { db in try Tome.search(query).fetchKeys(in: db) }
      #expect(Set(ids) == found, "\(query.text)")
    }
    #expect(
      FullTextQuery(matchingAll: "a b", prefixes: .all).text == #""a"* "b"*"#)
  }
}
