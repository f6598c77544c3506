import Foundation
import GRDB

/// A table of books in a GRDB pool, with hand-written records to insert and `Codable` records to
/// fetch.
final class GRDBRecords: RecordStore {
  private let pool: DatabasePool

  init(at url: URL) throws {
    pool = try DatabasePool(path: url.path, configuration: .alike)
    try pool.write { db in try db.execute(sql: Book.schema) }
  }

  func insert(_ books: [Book]) throws {
    try pool.write { db in
      for book in books { try HandWrittenBook(book: book).insert(db) }
    }
  }

  func fetchAll() throws -> [Book] { try fetchCodable() }

  func fetchCodable() throws -> [Book] {
    try pool.read { db in try Book.fetchAll(db, sql: "SELECT * FROM book") }
  }

  func find(_ id: Int64) throws -> Book? {
    try pool.read { db in try HandWrittenBook.fetchOne(db, key: id)?.book }
  }

  /// Updates a book with a cached statement, the fastest way in GRDB.
  func update(_ id: Int64, price: Double) throws {
    try pool.write { db in
      try db.cachedStatement(sql: "UPDATE book SET price = ? WHERE id = ?")
        .execute(arguments: [price, id])
    }
  }

  func emptyRead() throws { try pool.read { _ in } }
}

/// A book with a hand-written record conformance, as GRDB's documentation recommends.
private struct HandWrittenBook: FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"

  let book: Book

  init(book: Book) { self.book = book }

  init(row: Row) throws {
    book = Book(
      id: row["id"], title: row["title"], note: row["note"], cover: row["cover"],
      pages: row["pages"], weight: row["weight"], price: row["price"], isLent: row["isLent"])
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = book.id
    container["title"] = book.title
    container["note"] = book.note
    container["cover"] = book.cover
    container["pages"] = book.pages
    container["weight"] = book.weight
    container["price"] = book.price
    container["isLent"] = book.isLent
  }
}

/// The record conformance that GRDB derives from `Codable`.
extension Book: FetchableRecord {}
