import Foundation
import UndercroftSQLite

/// A table of books that is read and written with hand-written SQL through the toolkit.
final class OurBooks: BookStore {
  private let database: Database

  init(at url: URL) throws {
    database = try Database(at: url)
    try database.write { db in try db.execute(SQL(stringLiteral: Book.schema)) }
  }

  func insert(_ books: [Book]) throws {
    try database.write { db in
      try db.prepare("INSERT INTO book VALUES (?, ?, ?, ?, ?, ?, ?, ?)") { insert in
        for book in books {
          try insert.bind(book.id, at: 1)
          try insert.bind(book.title, at: 2)
          try insert.bind(book.note, at: 3)
          try insert.bind(book.cover, at: 4)
          try insert.bind(book.pages, at: 5)
          try insert.bind(book.weight, at: 6)
          try insert.bind(book.price, at: 7)
          try insert.bind(book.isLent, at: 8)
          try insert.run()
        }
      }
    }
  }

  func fetchAll() throws -> [Book] {
    try database.read { db in
      var books: [Book] = []
      try db.prepare("SELECT * FROM book") { all in
        try all.forEach { row in books.append(try Self.book(row)) }
      }
      return books
    }
  }

  func find(_ id: Int64) throws -> Book? {
    try database.read { db in
      try db.prepare("SELECT * FROM book WHERE id = ?") { find in
        try find.bind(id, at: 1)
        return try find.fetchOne { row in try Self.book(row) }
      }
    }
  }

  func update(_ id: Int64, price: Double) throws {
    try database.write { db in
      try db.prepare("UPDATE book SET price = ? WHERE id = ?") { update in
        try update.bind(price, at: 1)
        try update.bind(id, at: 2)
        try update.run()
      }
    }
  }

  func emptyRead() throws { try database.read { _ in } }

  private static func book(_ row: borrowing Row) throws -> Book {
    Book(
      id: try row[0], title: try row[1], note: try row[2], cover: try row[3], pages: try row[4],
      weight: try row[5], price: try row[6], isLent: try row[7])
  }
}
