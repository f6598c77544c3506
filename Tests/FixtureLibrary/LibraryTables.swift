package import Foundation
package import Undercroft

package enum Genre: String, ColumnValue {
  case novel = "novel"
  case essay = "essay"
}

/// The keywords of a book, which a column stores as JSON.
package struct Tags: JSONColumnValue, Equatable {
  package var names: [String]
  package var shelf: Int?

  private enum CodingKeys: String, CodingKey {
    case names = "names"
    case shelf = "shelf"
  }
}

/// An author, with a key that is not reused after a deletion (`AUTOINCREMENT`).
package struct Author: TableRecord, Equatable {
  package var id: Int64?
  package var name: String

  package init(id: Int64? = nil, name: String) { (self.id, self.name) = (id, name) }

  package static let table = Table(
    "author", Author.init(id:name:),
    Column("id", \.id).primaryKey(isAutoincrementing: true),
    Column("name", \.name).unique().collated("NOCASE"))
}

/// A book with a column of every type that a declared column can store.
package struct Book: TableRecord, Equatable {
  package var id: Int64?
  package var authorID: Int64
  package var title: String
  package var genre: Genre
  package var isLent: Bool
  package var pages: Int?
  package var rating: UInt8
  package var weight: Double?
  package var height: Float?
  package var price: Decimal?
  package var acquired: Date?
  package var code: UUID
  package var page: URL?
  package var cover: Data?
  package var tags: Tags
  package var note: String?

  package static let table = Table(
    "book", Book.init,
    Column("id", \.id).primaryKey(),
    Column("author_id", \.authorID).references(Author.self, onDelete: .cascade).indexed(),
    Column("title", \.title).indexed(),
    Column("genre", \.genre).default(.novel),
    Column("is_lent", \.isLent),
    Column("pages", \.pages).check("pages > 0"),
    Column("rating", \.rating).default(0),
    Column("weight", \.weight),
    Column("height", \.height),
    Column("price", \.price),
    Column("acquired", \.acquired),
    Column("code", \.code),
    Column("page", \.page),
    Column("cover", \.cover),
    Column("tags", \.tags),
    Column("note", \.note)
  )
  .unique(\.authorID, \.title)
  .indexed(\.acquired, where: "acquired IS NOT NULL")
  .fullText(\.title, \.note)

  package static let shelf = [
    Book(
      id: 1, authorID: 1, title: "Emma", genre: .novel, isLent: true, pages: 474, rating: 5,
      weight: 0.1, height: 19.5, price: Decimal(string: "12.30"),
      acquired: Date(timeIntervalSince1970: 1_795_347_487.125),
      code: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255)),
      page: URL(string: "https://example.org/emma?a=%20b"), cover: Data([0, 255]),
      tags: Tags(names: ["match", "Ö/\""], shelf: 3), note: "a clever heroine"),
    Book(
      id: 5, authorID: 1, title: "Persuasion", genre: .essay, isLent: false, pages: nil, rating: 0,
      weight: nil, height: nil, price: nil, acquired: nil,
      code: UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      page: nil, cover: nil, tags: Tags(names: [], shelf: nil), note: nil),
  ]

  /// The book that a test adds to a fixture.
  package static let addition = Book(
    id: 9, authorID: 2, title: "The Dispossessed", genre: .novel, isLent: false, pages: 341,
    rating: 4, weight: nil, height: nil, price: nil, acquired: nil,
    code: UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), page: nil, cover: nil,
    tags: Tags(names: [], shelf: nil), note: "a clever physicist")
}

/// A loan, with a primary key of two columns and a generated column.
package struct Loan: TableRecord, Equatable {
  package var reader: String
  package var bookID: Int64
  package var fee: Int
  package var days: Int
  package var total: Int?

  package static let table = Table(
    "loan", Loan.init,
    Column("reader", \.reader).primaryKey(),
    Column("book_id", \.bookID).primaryKey().references(Book.self),
    Column("fee", \.fee).default(0),
    Column("days", \.days).default(14),
    Column("total", \.total).generated(as: "fee * days")
  )
  .indexed(\.days, where: "fee > 0")
  .check("fee >= 0")
  .strict()
  .withoutRowID()

  package static let desk = [
    Loan(reader: "Ada", bookID: 1, fee: 2, days: 7, total: 14),
    Loan(reader: "Bo", bookID: 5, fee: 0, days: 14, total: 0),
  ]

  /// The loan that a test adds to a fixture.
  package static let addition = Loan(reader: "Cy", bookID: 1, fee: 3, days: 3, total: nil)
}

/// A notice, whose text can be in any script.
package struct Notice: TableRecord, Equatable {
  package var id: Int64?
  package var text: String

  package static let table = Table(
    "notice", Notice.init, Column("id", \.id).primaryKey(), Column("text", \.text)
  ).fullText(\.text, tokenizer: "undercroft_cjk")

  package static let board = [
    Notice(id: 2, text: "图书馆 closes at five"), Notice(id: 3, text: "読書会 on Sunday"),
  ]

  /// The notice that a test adds to a fixture.
  package static let addition = Notice(id: 4, text: "休館日")
}

/// A visit, which is stored in one of the three partitions of its table.
package struct Visit: TableRecord, Equatable {
  package var id: Int64?
  package var minutes: Int

  package init(id: Int64? = nil, minutes: Int) { (self.id, self.minutes) = (id, minutes) }

  package static let table = Table(
    "visit", Visit.init(id:minutes:), Column("id", \.id).primaryKey(),
    Column("minutes", \.minutes).indexed())
  package static let partitioned = table.partitioned(into: 3)

  package static let day = (1...7).map { Visit(id: $0, minutes: Int($0) * 10) }
}

/// The rows in the fixtures of declared tables.
package enum LibraryTables {
  /// Creates the tables of the fixture in a new database, and inserts their rows.
  package static func fill(_ database: Database) throws {
    try database.write { db in
      for name in ["Jane Austen", "Ursula K. Le Guin", "Nobody"] {
        try Author(name: name).insert(in: db)
      }
      // The next author gets the key 4, because 3 was used.
      _ = try Author.delete(key: 3, in: db)
      _ = try Book.insertAll(Book.shelf, in: db)
      _ = try Loan.insertAll(Loan.desk, in: db)
      _ = try Notice.insertAll(Notice.board, in: db)
      _ = try Visit.partitioned.insertAll(Visit.day, in: db)
    }
  }
}
