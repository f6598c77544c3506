import Foundation
import UndercroftSQLite
import UndercroftSync

/// A row of the table that the benchmarks of synchronisation use, with a UUID as its key.
struct CopiedBook: Sendable {
  let id: String
  let title: String
  let author: String
  let pages: Int64
  let isLent: Bool

  static let tables = [SyncedTable("book")]
  static let schema: SQL = """
    CREATE TABLE book(
      id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL,
      pages INTEGER NOT NULL, isLent INTEGER NOT NULL)
    """
  static let insertion: SQL = "INSERT INTO book VALUES (?, ?, ?, ?, ?)"

  /// Creates the book with a number; the same number always gives the same book.
  ///
  /// Successive books have keys in no order, as random UUIDs have.
  init(numbered number: Int) {
    let mixed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
    let digits = Self.digits(UInt64(mixed), 8)
    id = "\(digits)-0000-4000-8000-\(Self.digits(UInt64(number), 12))"
    title = "The book of the number \(number)"
    author = "Author \(number % 500)"
    pages = Int64(number % 900)
    isLent = number % 3 == 0
  }

  static func numbered(_ range: ClosedRange<Int>) -> [CopiedBook] {
    range.map(CopiedBook.init(numbered:))
  }

  private static func digits(_ number: UInt64, _ count: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: count - text.count) + text
  }

  /// Runs a statement with the values of each book, in the order of ``insertion``.
  static func run(_ sql: SQL, with books: ArraySlice<CopiedBook>, in db: Connection) throws {
    try db.prepare(sql) { statement in
      for book in books {
        try statement.bind(book.id, at: 1)
        try statement.bind(book.title, at: 2)
        try statement.bind(book.author, at: 3)
        try statement.bind(book.pages, at: 4)
        try statement.bind(book.isLent, at: 5)
        try statement.run()
      }
    }
  }

  /// Creates a database with a table of books.
  static func makeDatabase(at url: URL, _ books: [CopiedBook] = []) throws -> Database {
    let database = try Database(at: url)
    try database.write { db in
      try db.execute(schema)
      try run(insertion, with: books[...], in: db)
    }
    return database
  }

  /// Throws if a query does not return `expected`.
  static func require(
    _ expected: Int, _ query: SQL, in database: Database, _ what: String
  ) throws {
    let found = try database.fetchValue(query, as: Int.self)
    guard found == expected else {
      throw BenchmarkFailure("\(found) \(what) instead of \(expected)")
    }
  }
}
