import Foundation
import UndercroftRelational
import UndercroftSQLite

extension Book: TableRecord {
  static let table = Table(
    "book", Book.init(id:title:note:cover:pages:weight:price:isLent:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("note", \.note),
    Column("cover", \.cover),
    Column("pages", \.pages),
    Column("weight", \.weight),
    Column("price", \.price),
    Column("isLent", \.isLent))
}

/// A table of books that is a declared table of the toolkit.
final class TableBooks: RecordStore {
  private let database: Database

  init(at url: URL) throws {
    database = try Database(at: url)
    // Create the table here, as the other stores do.
    try database.write { db in try Book.table.truncate(in: db) }
  }

  func insert(_ books: [Book]) throws {
    try database.write { db in _ = try Book.table.insertAll(books, in: db) }
  }

  func fetchAll() throws -> [Book] {
    try database.read { db in try Book.fetchAll(in: db) }
  }

  func fetchCodable() throws -> [Book] {
    try database.read { db in try Book.fetchAll(as: Book.self, in: db) }
  }

  func find(_ id: Int64) throws -> Book? {
    try database.read { db in try Book.find(id, in: db) }
  }

  func update(_ id: Int64, price: Double) throws {
    try database.write { db in
      _ = try Book.table.update(key: id, in: db) { $0.price = price }
    }
  }

  func emptyRead() throws { try database.read { _ in } }
}
