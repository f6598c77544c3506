import Foundation
import GRDB

/// A table of books in a GRDB pool, where each operation is done in the fastest or in the usual
/// way.
final class GRDBBooks: BookStore {
  private let pool: DatabasePool

  init(at url: URL) throws {
    pool = try DatabasePool(path: url.path, configuration: .alike)
    try pool.write { db in try db.execute(sql: Book.schema) }
  }

  func insert(_ books: [Book]) throws {
    try pool.write { db in try db.insert(books) }
  }

  func fetchAll() throws -> [Book] {
    try pool.read { db in try db.allBooks() }
  }

  /// Fetches a book as a record by its key, the usual way in GRDB.
  func find(_ id: Int64) throws -> Book? {
    try pool.read { db in try BookRecord.fetchOne(db, key: id)?.book }
  }

  func update(_ id: Int64, price: Double) throws {
    try pool.write { db in try db.update(id, price: price) }
  }

  func emptyRead() throws { try pool.read { _ in } }
}

/// A table of books in a GRDB queue with the fastest form of a read by key: no pool, no
/// transaction, and a cached statement.
final class BareGRDBBooks: BookStore {
  private let queue: DatabaseQueue

  init(at url: URL) throws {
    var configuration = Configuration.alike
    configuration.journalMode = .wal
    queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.write { db in try db.execute(sql: Book.schema) }
  }

  func insert(_ books: [Book]) throws {
    try queue.write { db in try db.insert(books) }
  }

  func fetchAll() throws -> [Book] {
    try queue.unsafeRead { db in try db.allBooks() }
  }

  func find(_ id: Int64) throws -> Book? {
    try queue.unsafeRead { db in
      let find = try db.cachedStatement(sql: "SELECT * FROM book WHERE id = ?")
      return try Row.fetchOne(find, arguments: [id]).map(Book.init(positionsOf:))
    }
  }

  func update(_ id: Int64, price: Double) throws {
    try queue.write { db in try db.update(id, price: price) }
  }

  func emptyRead() throws { try queue.unsafeRead { _ in } }
}

extension Configuration {
  static var alike: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: Book.pageCache) }
    return configuration
  }
}

/// The operations that ``GRDBBooks`` and ``BareGRDBBooks`` share.
extension GRDB.Database {
  /// Inserts books with one prepared statement, which is run for each row.
  fileprivate func insert(_ books: [Book]) throws {
    let insert = try makeStatement(sql: "INSERT INTO book VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    for book in books {
      try insert.execute(arguments: [
        book.id, book.title, book.note, book.cover, book.pages, book.weight, book.price,
        book.isLent,
      ])
    }
  }

  /// Fetches all books by column position, the fastest way in GRDB.
  fileprivate func allBooks() throws -> [Book] {
    var books: [Book] = []
    let rows = try Row.fetchCursor(self, sql: "SELECT * FROM book")
    while let row = try rows.next() { books.append(Book(positionsOf: row)) }
    return books
  }

  fileprivate func update(_ id: Int64, price: Double) throws {
    try cachedStatement(sql: "UPDATE book SET price = ? WHERE id = ?").execute(
      arguments: [price, id])
  }
}

/// A book with a hand-written record conformance, as GRDB's documentation recommends.
private struct BookRecord: FetchableRecord, TableRecord {
  static let databaseTableName = "book"

  let book: Book

  init(row: Row) throws {
    book = Book(
      id: row["id"], title: row["title"], note: row["note"], cover: row["cover"],
      pages: row["pages"], weight: row["weight"], price: row["price"], isLent: row["isLent"])
  }
}

extension Book {
  fileprivate init(positionsOf row: Row) {
    self.init(
      id: row[0], title: row[1], note: row[2], cover: row[3], pages: row[4], weight: row[5],
      price: row[6], isLent: row[7])
  }
}
