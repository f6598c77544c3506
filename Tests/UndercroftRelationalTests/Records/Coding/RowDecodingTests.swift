import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct RowDecodingTests {
  private struct Title: Codable, Equatable {
    var title: String
    var rating: Int?
  }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      for (title, rating) in [("Dune", 5), ("Emma", 4)] {
        try Book.table.insert(Book(title: title, rating: rating), in: db)
      }
      try Author.table.insert(Author(name: "Herbert"), in: db)
    }
    return database
  }

  @Test
  func `a row is decoded into a value whose properties come from the columns of the same name`()
    throws
  {
    let titles = try library().read { db in
      try db.fetchAll("SELECT rating, title, id FROM book ORDER BY id", as: Title.self)
    }
    #expect(titles == [Title(title: "Dune", rating: 5), Title(title: "Emma", rating: 4)])
  }

  @Test func `an encoded value that is stored in a row is decoded as an equal value`() throws {
    let database = try Database.inMemory()
    let cards = [Card(), Card(name: "Bo", shelf: nil, note: "late", tags: [], address: nil)]
    let back = try database.write { db in
      let names = try ColumnValuesEncoder().encode(Card()).names
      try db.execute(
        "CREATE TABLE card(\(names.map { "\(identifier: $0)" }.joined(separator: ",")))")
      for card in cards {
        let values = try ColumnValuesEncoder().encode(card)
        try db.execute("INSERT INTO card VALUES (\(names.map { values[$0] ?? .null }))")
      }
      return try db.fetchAll("SELECT * FROM card ORDER BY rowid", as: Card.self)
    }

    #expect(back == cards)
  }

  @Test func `rows of several tables can be decoded as one type`() throws {
    struct Named: Codable, Equatable {
      var id: Int64
      var title: String?
      var name: String?
    }
    let found = try library().read { db in
      try Book.where { $0.rating == 5 }.fetchAll(as: Named.self, in: db)
        + Author.fetchAll(as: Named.self, in: db)
    }
    #expect(found == [Named(id: 1, title: "Dune"), Named(id: 1, name: "Herbert")])
  }

  @Test func `fetchOne decodes the first row or returns nil, and forEach decodes every row`() throws
  {
    try library().read { db in
      let query = Book.order { $0.title }
      #expect(try query.fetchOne(as: Title.self, in: db) == Title(title: "Dune", rating: 5))
      var titles: [String] = []
      try query.forEach(as: Title.self, in: db) { titles.append($0.title) }
      #expect(titles == ["Dune", "Emma"])
      let none = try db.fetchOne("SELECT * FROM book WHERE id = 9", as: Title.self)
      #expect(none == nil)
      try db.forEach("SELECT * FROM book", as: Title.self) { titles.append($0.title) }
      #expect(titles.count == 4)
    }
  }

  @Test func `the values of a single-column query are decoded without property names`() throws {
    try library().read { db in
      let titles = try db.fetchAll("SELECT title FROM book", as: String.self)

      #expect(titles == ["Dune", "Emma"])

      let kinds = try db.fetchAll("SELECT 'reader'", as: Card.Kind.self)
      #expect(kinds == [.reader])

      let nothing = try db.fetchAll("SELECT NULL", as: Int?.self)
      #expect(nothing == [nil])

      let pair = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT 'reader', 2", as: Card.Kind.self)
      }
      #expect(pair?.message.contains("the row has the 2 columns") == true)

      #expect(throws: StorageError.self) { try db.fetchAll("SELECT 1, 2", as: [Int].self) }
    }
  }

  @Test func `a row is decoded as a dictionary with its columns as keys`() throws {
    let rows = try library().read { db in
      try db.fetchAll("SELECT title, shelf FROM book LIMIT 1", as: [String: String].self)
    }
    #expect(rows == [["title": "Dune", "shelf": "unsorted"]])
  }

  @Test
  func `column names match regardless of case, and decoding a column that occurs twice throws`()
    throws
  {
    try library().read { db in
      let upper = try db.fetchAll("SELECT 'Dune' AS TITLE", as: Title.self)
      #expect(upper == [Title(title: "Dune")])

      let twice = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT 'a' AS title, 'b' AS Title", as: Title.self)
      }
      #expect(twice?.message.contains("several columns with this name") == true)

      let unasked = try db.fetchAll("SELECT 1 AS id, 2 AS id, 'a' AS title", as: Title.self)
      #expect(unasked == [Title(title: "a")])
    }
  }

  @Test func `a decoding error names a missing column or a column whose value has the wrong type`()
    throws
  {
    try library().read { db in
      let missing = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT rating, id FROM book", as: Title.self)
      }
      #expect(missing?.message.contains(#"cannot read the column "title""#) == true)

      let other = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT 1 AS title", as: Title.self)
      }
      #expect(other?.code == .decodingFailed)
      #expect(other?.message.contains(#""title": expected text"#) == true)
      #expect(throws: StorageError.self) { try db.fetchAll("SELECT NULL AS title", as: Title.self) }
    }
  }

  @Test func `a Decodable type can request different columns for different rows`() throws {
    struct Fickle: Decodable, Equatable {
      enum Keys: String, CodingKey { case kind, a, b }
      var text: String

      init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Keys.self)
        let isA = try row.decode(Bool.self, forKey: .kind)
        text = try row.decode(String.self, forKey: isA ? .a : .b)
      }
    }
    let texts = try library().read { db in
      try db.fetchAll(
        """
        SELECT column1 AS kind, 'a' AS a, 'b' AS b FROM (VALUES (1), (0), (1), (1), (0))
        """, as: Fickle.self)
    }
    #expect(texts.map(\.text) == ["a", "b", "a", "a", "b"])
  }

  @Test func `a decoding container throws if it is used after its row was decoded`() throws {
    struct Keeper: Decodable {
      enum Keys: String, CodingKey { case title }
      let row: KeyedDecodingContainer<Keys>
      init(from decoder: any Decoder) throws { row = try decoder.container(keyedBy: Keys.self) }
    }
    let stored = try library().read { db in
      try db.fetchAll("SELECT title FROM book", as: Keeper.self)
    }
    #expect(stored.count == 2)
    for keeper in stored {
      let error = #expect(throws: StorageError.self) {
        try keeper.row.decode(String.self, forKey: .title)
      }
      #expect(error?.code == .misuse)
    }
  }

  @Test func `inside the closure of fetchAll, row.decode(_:) decodes a row as a Decodable type`()
    throws
  {
    let titles: [Title] = try library().read { db in
      try db.fetchAll("SELECT title, rating FROM book") { row in try row.decode(Title.self) }
    }
    #expect(titles.map(\.title) == ["Dune", "Emma"])
  }
}
