import Foundation
import Undercroft

// The code of Docs/Guides/CommonTasks.md.

enum CommonTasks {
  struct Author: TableRecord, Equatable {
    var id: Int64?
    var name: String

    static let table = Table(
      "author", Author.init,
      Column("id", \.id).primaryKey(),
      Column("name", \.name).unique())
  }

  struct Book: TableRecord, Equatable {
    var id: Int64?
    var authorID: Int64
    var title: String
    var isbn: String?
    var rating: Int = 0
    var copies: Int = 1
    var tags = Tags(names: [])

    static let table = Table(
      "book", Book.init,
      Column("id", \.id).primaryKey(),
      Column("author_id", \.authorID).references(Author.self).indexed(),
      Column("title", \.title),
      Column("isbn", \.isbn).unique(),
      Column("rating", \.rating),
      Column("copies", \.copies),
      Column("tags", \.tags)
    )
    .fullText(\.title)
  }

  struct Tags: JSONColumnValue, Equatable { var names: [String] }

  struct Loan: TableRecord, Equatable {
    var id: Int64?
    var bookID: Int64
    var reader: String
    var due: Date

    static let table = Table(
      "loan", Loan.init,
      Column("id", \.id).primaryKey(),
      Column("book_id", \.bookID).references(Book.self, onDelete: .cascade).indexed(),
      Column("reader", \.reader),
      Column("due", \.due).indexed())
  }

  static func open(_ folder: URL) throws -> Database {
    let database = try Database(at: folder.appending(path: "library.sqlite"))
    return database
  }

  // MARK: Reading

  static func one(_ database: Database, _ id: Int64) throws -> [Book?] {
    try database.read { db in
      let byKey = try Book.find(id, in: db)  // Book?
      let byTitle = try Book.where { $0.title == "Emma" }.fetchOne(in: db)
      let best = try Book.order { $0.rating.descending }.fetchOne(in: db)
      return [byKey, byTitle, best]
    }
  }

  static func rating(_ database: Database) throws -> Int? {
    try database.read { db in
      guard let emma = try (Book.where { $0.title == "Emma" }.fetchOne(in: db)) else { return nil }
      return emma.rating
    }
  }

  static func several(_ database: Database) throws -> ([Book], [Book], [String]) {
    try database.read { db in
      let all = try Book.fetchAll(in: db)
      let some = try Book.where { $0.rating >= 4 }.order { $0.title }.limit(20).fetchAll(in: db)
      let titles = try Book.fetchValues(in: db) { $0.title }  // [String]
      return (all, some, titles)
    }
  }

  static func count(_ database: Database) throws -> (Int, Int, Bool, Int?) {
    try database.read { db in
      let count = try Book.fetchCount(in: db)
      let good = try Book.where { $0.rating >= 4 }.fetchCount(in: db)
      let isRare = try Book.where { $0.copies == 1 }.exists(in: db)
      let copies = try Book.fetchValue(in: db) { $0.copies.sum }  // Int?, nil without a row
      return (count, good, isRare, copies)
    }
  }

  static func page(_ database: Database) throws -> [[String]] {
    let books = Book.order { $0.rating.descending }
    let first = try database.read { db in try books.fetchPage(of: 2, in: db) }
    let second = try database.read { db in try books.fetchPage(of: 2, after: first.end, in: db) }
    return [first, second].map { $0.records.map(\.title) }
  }

  static func join(_ database: Database) throws -> [String] {
    try database.read { db in
      let lines = try Loan.join(Book.all) { loan, book in loan.bookID == book.id }
        .join(Author.all) { loan, book, author in book.authorID == author.id }
        .order { loan, book, author in loan.due }
        .select { loan, book, author in (loan.reader, book.title, author.name) }
        .fetchAll(in: db)  // [(String, String, String)]
      return lines.map { "\($0.0): \($0.1), \($0.2)" }
    }
  }

  static func joinAll(_ limit: Date, _ database: Database) throws -> [String] {
    try database.read { db in
      let loans = try Loan.join(Book.all) { loan, book in loan.bookID == book.id }
        .join(Author.all) { loan, book, author in book.authorID == author.id }
        .where { loan, book, author in loan.due < limit && author.name.hasPrefix("Jane") }
        .fetchAll(in: db)  // [(Loan, Book, Author)]
      return loans.map { loan, book, author in "\(loan.reader): \(book.title), \(author.name)" }
    }
  }

  static func relate(_ database: Database) throws -> ([String], [Int64: Int]) {
    try database.read { db in
      let free = try Book.where { $0.id.isNotIn(Loan.select { $0.bookID }) }.fetchAll(in: db)
      let counts = try Loan.group { $0.bookID }
        .select { ($0.bookID, $0.rowCount) }
        .fetchAll(in: db)  // [(Int64, Int)]
      return (free.map(\.title), Dictionary(uniqueKeysWithValues: counts))
    }
  }

  static func search(_ typed: String, _ database: Database) throws -> [Book] {
    try database.read { db in
      let query = FullTextQuery(matchingAll: typed, lastIsPrefix: true)
      return try Book.search(query).limit(20).fetchAll(in: db)
    }
  }

  // MARK: Writing

  static func insert(_ database: Database) throws -> Book {
    try database.write { db in
      let austen = Author(name: "Jane Austen")
      let authorID = try austen.fetchOrInsert(on: \.name, returning: \.id, in: db)  // Int64
      let id = try Book(authorID: authorID, title: "Emma").insert(returning: \.id, in: db)
      let book = try Book(authorID: authorID, title: "Persuasion").insertAndFetch(in: db)
      return book.id == id + 1 ? book : Book(authorID: authorID, title: "unexpected")
    }
  }

  static func update(_ id: Int64, _ database: Database) throws -> Int? {
    try database.write { db in
      try Book.update(key: id, in: db) { $0.rating = 5 }
      try Book.where { $0.isbn == nil }.update(in: db) { $0.copies += 1 }
      return try Book.update(key: id, returning: \.copies, in: db) { $0.copies -= 1 }
    }
  }

  static func upsert(_ book: Book, _ database: Database) throws -> [Book] {
    try database.write { db in
      try book.upsert(on: \.isbn, in: db)  // overwrites the row with this ISBN
      try book.upsert(on: \.isbn, only: \.rating, in: db)  // only the rating of this row
      try book.upsert(on: \.isbn, in: db) { $0.copies += $1.copies }  // $1 is the new record
      return try Book.where { $0.isbn == book.isbn }.fetchAll(in: db)
    }
  }

  static func importAll(_ books: [Book], _ database: Database) throws -> [Int64] {
    try database.write { db in  // one transaction: all rows, or none
      try Book.upsertAll(books, on: \.isbn, returning: \.id, in: db)
    }
  }

  static func delete(_ id: Int64, _ limit: Date, _ database: Database) throws -> (Book?, Int) {
    try database.write { db in
      let book = try Book.deleteAndFetch(key: id, in: db)  // nil if there is none
      try Loan.where { $0.due < limit }.delete(in: db)
      try Loan.order { $0.due.descending }.offset(1000).delete(in: db)  // all but 1000
      let count = try Loan.deleteAll(in: db)
      return (book, count)
    }
  }

  static func lend(
    _ books: [Int64], to reader: String, until due: Date, _ database: Database
  ) throws -> [Int64] {
    try database.write { db in  // a transaction: an error that leaves the closure undoes it
      var refused: [Int64] = []
      for bookID in books {
        do {
          try db.transaction { db in  // a savepoint: undone alone
            try Book.update(key: bookID, in: db) { $0.copies -= 1 }
            try Loan(bookID: bookID, reader: reader, due: due).insert(in: db)
          }
        } catch StorageError.Code.constraintViolated {
          refused.append(bookID)
        }
      }
      return refused
    }
  }

  // MARK: Values

  static func tag(_ id: Int64, _ tag: String, _ database: Database) throws -> [Book] {
    try database.write { db in
      try Book.update(key: id, in: db) { $0.tags = Tags(names: [tag, "new"]) }
      return try Book.where(
        "EXISTS (SELECT 1 FROM json_each(tags, '$.names') WHERE value = \(tag))"
      ).fetchAll(in: db)
    }
  }

  static func overdue(_ now: Date, _ database: Database) throws -> [Loan] {
    try database.read { db in
      try Loan.where { $0.due < now }.order { $0.due }.fetchAll(in: db)
    }
  }

  static func compare(
    _ now: Date, _ bookID: Int64, _ reader: String, _ database: Database
  ) throws -> [Bool] {
    try database.write { db in
      let stored = try Loan(bookID: bookID, reader: reader, due: now).insertAndFetch(in: db)
      let isFound = try Loan.where { $0.due == now }.exists(in: db)  // true
      let isEqual = stored.due == now  // false if `now` is finer than a millisecond
      let isClose = abs(stored.due.timeIntervalSince(now)) < 0.001  // true
      return [isFound, isEqual, isClose]
    }
  }

  // MARK: Observing, and asynchronous code

  static func observe(_ database: Database) async throws -> [String] {
    let updates = database.values { db in
      try Book.order { $0.title }.fetchValues(in: db) { $0.title }
    }
    for try await titles in updates {  // now, and after each commit that changes them
      if !titles.isEmpty { return titles }
    }
    return []
  }

  static func fetch(_ database: Database) async throws -> [Book] {
    try await database.async.write { db in
      try Book.updateAll(in: db) { $0.rating += 1 }
    }
    return try await database.async.read { db in try Book.fetchAll(in: db) }
  }
}
