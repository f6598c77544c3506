import Foundation
import Testing
import Undercroft

// The application of Docs/Guides/UsingTables.md. The other examples of the page are in
// UsingTables+….swift.

enum UsingTables {
  struct Author: TableRecord, Equatable {
    var id: Int64?  // nil until the row is inserted
    var name: String

    static let table = Table(
      "author", Author.init,
      Column("id", \.id).primaryKey(),
      Column("name", \.name).unique())
  }

  enum Genre: String, ColumnValue { case novel, essay }

  struct Book: TableRecord, Equatable {
    var id: Int64?
    var authorID: Int64
    var title: String
    var genre: Genre = .novel
    var rating: Int = 0
    var pages: Int?
    var note: String?

    static let table = Table(
      "book", Book.init,  // a column for each parameter of the initialiser, in its order
      Column("id", \.id).primaryKey(),
      Column("author_id", \.authorID).references(Author.self).indexed(),
      Column("title", \.title).indexed(),
      Column("genre", \.genre).default(.novel),
      Column("rating", \.rating).default(0).check("rating BETWEEN 0 AND 5"),
      Column("pages", \.pages),
      Column("note", \.note)
    )
    .unique(\.authorID, \.title)
    .fullText(\.title, \.note)
  }

  struct Library: DataCenter {
    let database: Database
    static let tables: Tables = [Author.self, Book.self]

    @discardableResult
    func add(_ title: String, by name: String, rating: Int = 0) throws -> Book {
      try write { db in  // one transaction: both rows, or neither
        let authorID = try Author(name: name).upsert(on: \.name, returning: \.id, in: db)
        return try Book(authorID: authorID, title: title, rating: rating).insertAndFetch(in: db)
      }
    }

    func rate(_ title: String, _ rating: Int) throws {
      try write { db in
        let books = Book.where { $0.title == title }
        guard try books.update(in: db, { $0.rating = rating }) > 0 else {
          throw NotFound(what: title)  // undoes the write, and reaches the caller
        }
      }
    }

    func best(_ count: Int) throws -> [(book: Book, author: Author)] {
      try read { db in
        try Book.join(Author.all) { book, author in book.authorID == author.id }
          .where { book, author in book.rating >= 4 }
          .order { book, author in book.rating.descending }
          .order { book, author in book.title }
          .limit(count)
          .fetchAll(in: db)
          .map { (book: $0.0, author: $0.1) }
      }
    }
  }

  struct NotFound: Error, Equatable { var what: String }

  static func run(_ folder: URL) throws -> [String] {
    let library = Library(database: try Database(at: folder.appending(path: "library.sqlite")))
    try library.add("Emma", by: "Jane Austen", rating: 4)
    try library.add("Persuasion", by: "Jane Austen")
    try library.rate("Persuasion", 5)
    let lines = try library.best(10).map { "\($0.book.title), \($0.author.name)" }
    lines.forEach { line in print(line) }
    return lines
  }

  @Suite struct LibraryTests {
    @Test func `adding two books of one author adds the author only once`() throws {
      let library = Library(database: try .inMemory())
      let emma = try library.add("Emma", by: "Jane Austen", rating: 4)
      try library.add("Persuasion", by: "Jane Austen")
      #expect(emma.id == 1)
      #expect(try library.best(10).map(\.book) == [emma])
      let count = try library.read { db in try Author.fetchCount(in: db) }
      #expect(count == 1)
    }

    @Test func `rating a book that does not exist throws an error`() throws {
      let library = Library(database: try .inMemory())
      #expect(throws: NotFound(what: "Emma")) { try library.rate("Emma", 5) }
    }
  }
}
