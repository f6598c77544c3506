import Foundation
import Undercroft

// The code of Docs/Guides/UsingTables.md: reading.

extension UsingTables {
  static func query(_ database: Database, _ key: Int64) throws -> [String] {
    try database.read { db in
      let one = try Book.find(key, in: db)  // Book?
      let some = try Book.find(keys: [3, 1], in: db)  // in this order
      let first = try Book.where { $0.genre == .essay }.fetchOne(in: db)
      let latest = try Book.fetchLastByPrimaryKey(in: db)  // the greatest key
      let isAny = try Book.where { $0.rating == 5 }.exists(in: db)
      let books = try Book.where { $0.rating >= 4 && $0.title.like("%a%") }
        .order { $0.rating.descending }.order { $0.title }
        .limit(20, offset: 0)
        .fetchAll(in: db)
      let titles = try Book.order { $0.title }.fetchValues(in: db) { $0.title }  // [String]
      let pairs = try Book.select { ($0.title, $0.rating) }.fetchAll(in: db)
      let genres = try Book.fetchDistinctValues(in: db) { $0.genre }
      let known = [one?.title, first?.title, latest?.title].compactMap { $0 }
      let counts = [some.count, books.count, pairs.count, genres.count].map { "\($0)" }
      return known + titles + counts + (isAny ? ["any"] : [])
    }
  }

  static func choose(_ title: String?, _ least: Int?, _ greatest: Int?) -> TableQuery<Book> {
    var books = Book.where { $0.pages.isBetween(least, greatest) }  // nil is no bound
    if let title { books = books.where { $0.title.contains(title, ignoringCase: true) } }
    return books
  }

  static func fetchGood(_ database: Database) throws -> [Book] {
    func isGood(_ book: Columns<Book>) -> Condition { book.rating >= 4 }
    func good(_ genre: Genre?) -> TableQuery<Book> {
      let books = Book.where(isGood)
      return if let genre { books.where { $0.genre == genre } } else { books }
    }
    return try database.read { db in try good(.novel).order { $0.title }.fetchAll(in: db) }
  }

  static func allConditions(_ minutes: Int) -> [TableQuery<Book>] {
    [
      Book.where { $0.note == nil || $0.note != "lent" },
      Book.where { $0.pages.isBetween(100...300) && !($0.genre == .essay) },
      Book.where { $0.id.isIn([1, 2, 3]) && $0.genre.isNotIn([.essay]) },
      Book.where {
        $0.authorID.isIn(Author.where { $0.name.like("J%") }.select { $0.id })
      },
      Book.where { $0.title.hasPrefix("E") || $0.title.lowercased.contains("emma") },
      Book.where { $0.title.length > 4 && $0.rating * 2 < 10 && $0.pages.coalesce(0) > 9 },
      Book.where("length(note) / 20 > \(minutes)"),
      Book.where { book in
        .any([book.rating == 5, SQLExpression("title GLOB \("P*")")])
      },
    ]
  }

  static func pages(_ database: Database) throws -> [[Book]] {
    var pages: [[Book]] = []
    let books = Book.order { $0.rating.descending }
    var page = try database.read { db in try books.fetchPage(of: 2, in: db) }
    pages.append(page.records)
    while page.hasMore {
      page = try database.read { db in try books.fetchPage(of: 2, after: page.end, in: db) }
      pages.append(page.records)
    }
    return pages
  }

  struct GenreCount: Equatable, Sendable {
    var genre: Genre
    var count: Int
    var average: Double?
  }

  static func aggregate(_ database: Database) throws -> [GenreCount] {
    try database.read { db in
      let count = try Book.where { $0.rating > 0 }.fetchCount(in: db)
      let pages = try Book.fetchValue(in: db) { $0.pages.sum }  // Int?, nil without a value
      let best = try Book.fetchValue(in: db) { $0.rating.max }
      let groups = try Book.group { $0.genre }
        .having { $0.rating.average > 1 }
        .select(as: GenreCount.init) { ($0.genre, $0.rowCount, $0.rating.average) }
        .fetchAll(in: db)
      guard count > 0, pages == nil, best == 5 else { return [] }
      return groups
    }
  }

  static func rank(_ database: Database) throws -> [String] {
    try database.read { db in
      let ranking = try Book.order { $0.rowCount.descending }.order { $0.genre }
        .limit(3)
        .group { $0.genre }
        .select { ($0.genre, $0.rowCount) }
        .fetchAll(in: db)  // [(Genre, Int)], the three largest groups, the largest first
      let favourites = try Book.group { $0.genre }
        .select { ($0.genre, $0.title, $0.rating.max) }  // the title of the best book
        .fetchAll(in: db)
      return ranking.map { "\($0.0) \($0.1)" } + favourites.map(\.1)
    }
  }

  static func groupByTwo(_ database: Database) throws -> [String] {
    try database.read { db in
      let ratings = try Book.order { $0.genre }.order { $0.rating.descending }
        .group { ($0.genre, $0.rating) }
        .select { ($0.genre, $0.rating, $0.rowCount) }
        .fetchAll(in: db)  // [(Genre, Int, Int)], one element for each pair of values
      return ratings.map { genre, rating, count in "\(genre) \(rating): \(count)" }
    }
  }

  static func aggregateJoin(_ name: String, _ database: Database) throws -> String? {
    try database.read { db in
      let total = try Book.join(Author.all) { book, author in book.authorID == author.id }
        .where { book, author in author.name == name }
        .select { book, author in (book.rowCount, book.rating.average) }
        .fetchOne(in: db)  // (Int, Double?)?, of all rows of the join
      return total.map { count, average in "\(count), \(average ?? 0)" }
    }
  }

  struct AuthorCount: Codable, Equatable {
    var author: String
    var books: Int
  }

  static func groupJoin(_ database: Database) throws -> [AuthorCount] {
    try database.read { db in
      let authors = try db.fetchAll(
        """
        SELECT author.name AS author, count(*) AS books
        FROM book JOIN author ON author.id = book.author_id
        GROUP BY author.id ORDER BY books DESC, author
        """, as: AuthorCount.self)
      return authors
    }
  }

  static func join(_ database: Database) throws -> [String] {
    try database.read { db in
      let pairs = try Author.leftJoin(Book.all) { $0.id == $1.authorID }
        .order { author, book in author.name }
        .fetchAll(in: db)  // [(Author, Book?)]
      let cards = try Book.join(Author.all) { book, author in book.authorID == author.id }
        .select { book, author in (book.title, author.name) }
        .fetchAll(in: db)  // [(String, String)]
      return pairs.map { "\($0.0.name): \($0.1?.title ?? "nothing")" } + cards.map(\.0)
    }
  }

  static func leftJoin(_ database: Database) throws -> [String] {
    try database.read { db in
      let novels = try Author.leftJoin(Book.all) { $0.id == $1.authorID }
        .order { author, book in author.name }
        .select { author, book in (author.name, book.title, book.pages.coalesce(0)) }
        .fetchAll(in: db)  // [(String, String?, Int)]
      return novels.map { name, title, pages in "\(name): \(title ?? "nothing"), \(pages)" }
    }
  }

  static func search(_ typed: String, _ database: Database) throws -> [String] {
    try database.read { db in
      let query = FullTextQuery(matchingAll: typed, lastIsPrefix: true)
      let books = try Book.search(query).where { $0.rating > 0 }.limit(20).fetchAll(in: db)
      let found: [SearchResult<Book>] = try Book.search(query).limit(20)
        .fetchSnippets(of: \.note, marks: ("<b>", "</b>"), wordCount: 8, in: db)
      let lines = found.map { result in "\(result.record.title): \(result.text)" }
      return books.map(\.title) + lines
    }
  }

  struct Card: Codable, Equatable {
    var title: String
    var author: String
  }

  static func raw(_ database: Database, _ least: Int) throws -> [Card] {
    try database.read { db in
      let books = try Book.fetchAll(
        sql: "SELECT * FROM book WHERE rating >= \(least)", in: db)
      let cards = try db.fetchAll(
        """
        SELECT title, name AS author FROM book JOIN author ON author.id = author_id
        WHERE rating >= \(least) ORDER BY title
        """, as: Card.self)
      return books.count == cards.count ? cards : []
    }
  }

  static func command(_ database: Database) throws -> String {
    let command = Book.where { $0.rating > 3 }.command
    print(command)  // SELECT "id", … FROM "book" WHERE "book"."rating" > ?

    let shelf = QueryCommand.createTable(
      "shelf", columns: [ColumnDefinition("id", .integer).primaryKey()])
    let titles = QueryCommand.select(["title"], from: "book", where: "rating > \(3)", limit: 20)
    try database.write { db in
      try shelf.run(in: db)
      let rows = try titles.fetchAll(in: db)  // ColumnValues: by the names of the columns
      print(rows.first?["title"] ?? .null)
      try QueryCommand.dropTable("shelf").run(in: db)
    }
    return "\(command)"
  }

  static func stream(_ database: Database) throws -> Int {
    var pages = 0
    try database.read { db in
      try Book.forEach(in: db) { book in pages += book.pages ?? 1 }  // none is kept
      try Book.order { $0.title }.forEachUntil(in: db) { book in
        book.title > "F" ? .stop : .continue
      }
    }
    return pages
  }

  static func watch(_ database: Database) async throws {
    let best = database.values { db in
      try Book.where { $0.rating >= 4 }.order { $0.title }.fetchAll(in: db)
    }
    for try await books in best {  // now, and when a commit has changed them
      print("\(books.count) books")
      if !books.isEmpty { break }
    }
  }

  static func prepare(_ url: URL) throws -> [String] {
    let database = try Database(at: url, DatabaseOptions(schemaOwner: .migrations))
    defer { try? database.close() }
    try Library(database: database).prepare()  // throws everything that differs, at once
    return try database.read { db in try Book.table.undeclaredColumns(in: db).map(\.name) }
  }
}
