import Foundation
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of the errors for rows that cannot be decoded as a `Decodable` value.
@Suite struct UnreadableCodableTests {
  private struct Card: Decodable {
    enum Kind: String, Decodable { case novel, essay }
    struct Address: Codable { var number: Int }

    var id: Int64
    var title: String
    var genre: Kind
    var address: Address?
  }

  /// A type whose `init(from:)` validates its values.
  private struct Checked: Decodable {
    enum Keys: CodingKey { case id, genre }

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: Keys.self)
      let genre = try row.decode(String.self, forKey: .genre)
      if genre.hasPrefix("hunter") {
        throw DecodingError.dataCorruptedError(
          forKey: .genre, in: row, debugDescription: "no genre: \(genre)")
      }
    }
  }

  private func database() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try Book.table.insertAll([Book(title: "Dune"), Book(title: "Emma")], in: db)
      try db.execute("UPDATE book SET genre = 'hunter2' WHERE id = 2")
      try Author.table.prepare(in: db)
    }
    return database
  }

  private func check(
    _ error: StorageError?, _ expected: [String], column: String = "genre",
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == .decodingFailed, sourceLocation: location)
    let message = error?.message ?? ""
    for text in expected {
      #expect(message.contains(text), "\(text): \(message)", sourceLocation: location)
    }
    #expect(!message.contains("hunter2"), sourceLocation: location)
    let cause = error?.underlying as? StorageError
    #expect(cause?.code == .decodingFailed, sourceLocation: location)
    #expect(cause?.message.contains("\"\(column)\"") == true, sourceLocation: location)
    #expect("\(error.debugDescription)".contains("hunter2") == false, sourceLocation: location)
  }

  private let expected = ["\"book\"", "\"genre\"", "\"id\" = 2", "SELECT"]

  @Test func `a decoding error of a table query names the table, column, key and statement`() throws
  {
    try database().read { db in
      check(
        #expect(throws: StorageError.self) { try Book.fetchAll(as: Card.self, in: db) },
        expected)
      check(
        #expect(throws: StorageError.self) {
          try Book.order { $0.id.descending }.fetchOne(as: Card.self, in: db)
        }, expected)
      check(
        #expect(throws: StorageError.self) {
          try Book.forEach(as: Card.self, in: db) { _ in }
        }, expected)
    }
  }

  @Test
  func `a decoding error of an SQL query names the column, and its table if the table is known`()
    throws
  {
    try database().read { db in
      let sql: SQL = "SELECT title, genre, id FROM book AS b ORDER BY id"
      check(#expect(throws: StorageError.self) { try db.fetchAll(sql, as: Card.self) }, expected)

      check(
        #expect(throws: StorageError.self) {
          try db.fetchAll(sql) { row in try row.decode(Card.self) }
        }, expected)

      let joined: SQL = """
        SELECT author.id AS author, book.id, title, genre FROM book LEFT JOIN author ON FALSE
        """
      check(#expect(throws: StorageError.self) { try db.fetchAll(joined, as: Card.self) }, expected)

      let computed: SQL = "SELECT id, title, genre || '' AS genre FROM book"
      let error = #expect(throws: StorageError.self) { try db.fetchAll(computed, as: Card.self) }
      check(error, ["\"genre\"", "SELECT"])

      let union: SQL = """
        SELECT id, title, 'novel' AS genre FROM book WHERE id = 1 \
        UNION ALL SELECT 9, 'Ulysses', \("hunter2")
        """
      let other = #expect(throws: StorageError.self) { try db.fetchAll(union, as: Card.self) }
      check(other, ["\"genre\"", "UNION"])
      #expect(other?.message.contains("a row of \"book\"") == false)
    }
  }

  @Test func `a decoding error omits the key value if the key column itself is unreadable`() throws
  {
    struct Coin: Decodable { var id: Card.Kind }
    try Database.inMemory().write { db in
      try db.execute("CREATE TABLE coin(id TEXT PRIMARY KEY)")
      try db.execute("INSERT INTO coin VALUES ('hunter2')")
      let error = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT * FROM coin", as: Coin.self)
      }
      check(error, ["\"coin\"", "\"id\""], column: "id")
    }
  }

  @Test
  func `the report of an error that a decoded type throws names the column and omits the value`()
    throws
  {
    try database().read { db in
      check(
        #expect(throws: StorageError.self) { try Book.fetchAll(as: Checked.self, in: db) },
        expected)
    }
  }

  @Test func `a decoding error of a single-column query names the column`() throws {
    try database().read { db in
      let error = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT genre FROM book", as: Card.Kind.self)
      }
      check(error, ["\"book\"", "\"genre\""])
    }
  }

  @Test func `a decoding error of a JSON column names the path within the JSON`() throws {
    try database().write { db in
      try db.execute("UPDATE book SET genre = 'novel', note = '{\"number\":\"hunter2\"}'")
      let error = #expect(throws: StorageError.self) {
        try db.fetchAll("SELECT id, title, genre, note AS address FROM book", as: Card.self)
      }
      check(error, ["\"book\"", "\"address\"", "number", "\"id\" = 1"], column: "address")
    }
  }
}
