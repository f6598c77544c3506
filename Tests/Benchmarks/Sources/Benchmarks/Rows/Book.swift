import Foundation
import UndercroftSQLite

/// A typical row of eight columns: two strings, one of which is often NULL, bytes, integers,
/// floating-point numbers and a Boolean.
struct Book: Equatable, Codable, Sendable {
  var id: Int64
  var title: String
  var note: String?
  var cover: Data
  var pages: Int64
  var weight: Double
  var price: Double
  var isLent: Bool

  static let count = 100_000

  static let schema = """
    CREATE TABLE book(
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, cover BLOB NOT NULL, pages INTEGER NOT NULL,
      weight REAL NOT NULL, price REAL NOT NULL, isLent INTEGER NOT NULL)
    """

  /// Sets the page cache of a connection to the size that the engine uses, so that the libraries
  /// differ only by their work.
  static let pageCache = "PRAGMA cache_size = -\(DatabaseOptions().pageCacheByteCount / 1_024)"

  static let all: [Book] = (1...count).map(Book.init(numbered:))

  /// Creates the book with a number; the same number always gives the same book.
  init(numbered number: Int) {
    let note: String? = number % 4 == 0 ? "a note on \(number)" : nil
    let price: Double = Double(number % 100) + 0.5
    self.init(
      id: Int64(number), title: "The book of the number \(number)", note: note,
      cover: Data(repeating: UInt8(number % 251), count: 32), pages: Int64(number % 900),
      weight: Double(number) / 7, price: price, isLent: number % 3 == 0)
  }

  init(
    id: Int64, title: String, note: String?, cover: Data, pages: Int64, weight: Double,
    price: Double, isLent: Bool
  ) {
    self.id = id
    self.title = title
    self.note = note
    self.cover = cover
    self.pages = pages
    self.weight = weight
    self.price = price
    self.isLent = isLent
  }

  /// Returns keys in an order that a cache cannot predict.
  static func key(_ index: Int) -> Int64 { Int64((index &* 7_919) % count) + 1 }
}

/// A table of books, with the operations that are timed.
protocol BookStore {
  /// Creates an empty table in a new file.
  init(at url: URL) throws
  func insert(_ books: [Book]) throws
  func fetchAll() throws -> [Book]
  func find(_ id: Int64) throws -> Book?
  func update(_ id: Int64, price: Double) throws
  /// Begins and ends a read without a query.
  func emptyRead() throws
}
