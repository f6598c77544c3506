import Foundation
import Synchronization
import Undercroft

// The code of Docs/Guides/UsingSQLite.md.

enum Genre: String, SQLBindable, SQLReadable { case novel, essay }

struct Book: Equatable, Sendable {
  var id: Int64
  var title: String
  var genre: Genre
  var pages: Int?
}

extension Book {
  static let columns: SQL = "id, title, genre, pages"

  init(_ row: borrowing Row) throws {
    id = try row["id"]
    title = try row["title"]
    genre = try row["genre"]
    pages = try row["pages"]
  }
}

func openLibrary(_ folder: URL) throws -> Database {
  let database = try Database(at: folder.appending(path: "library.sqlite"))
  try migrate(database)
  return database
}

func migrate(_ database: Database) throws {
  try database.write { db in
    if try db.userVersion() < 1 {
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, genre TEXT, pages INTEGER);
        CREATE TABLE lending(book INTEGER NOT NULL REFERENCES book(id), reader TEXT, day TEXT);
        CREATE INDEX lending_by_book ON lending(book);
        """)
      try db.setUserVersion(1)
    }
    if try db.userVersion() < 2 {
      try db.execute("ALTER TABLE book ADD COLUMN shelf INTEGER")
      try db.setUserVersion(2)
    }
  }
}

func inspectSchema(_ database: Database) throws -> [String] {
  try database.read { db in
    let hasTable = try db.tableExists("book")  // also true for a view
    let hasColumn = try db.columnExists("shelf", of: "book")  // false without the table
    let columns = try db.columns(of: "book").map(\.name)  // throws without the table
    let indexes = try db.schema().filter { $0.kind == .index }.map(\.name)
    return hasTable && hasColumn ? columns + indexes : []
  }
}

struct Dangling: Error {}

func buildAnew(_ database: Database) throws {
  try database.writeWithoutTransaction { db in
    try db.execute("PRAGMA foreign_keys = OFF")  // until the end of this closure
    try db.transaction { db in
      try db.executeScript(
        """
        CREATE TABLE new_book(id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE,
          genre TEXT NOT NULL DEFAULT 'novel', pages INTEGER, shelf INTEGER);
        INSERT INTO new_book SELECT id, title, coalesce(genre, 'novel'), pages, shelf FROM book;
        DROP TABLE book;
        ALTER TABLE new_book RENAME TO book;
        """)
      guard try db.foreignKeyCheck().isEmpty else { throw Dangling() }  // undoes it all
    }
  }
}

func writeAndRead(_ database: Database) throws -> [Book] {
  let title = "Emma"
  let id = try database.write { db in
    try db.execute(
      "INSERT INTO book(title, genre, pages) VALUES (\(title), \(Genre.novel), \(474))")
    return db.lastInsertedRowID
  }

  let books = try database.read { db in
    try db.fetchAll("SELECT \(Book.columns) FROM book ORDER BY title") { row in try Book(row) }
  }
  let book = try database.read { db in  // nil where there is none
    try db.fetchOne("SELECT \(Book.columns) FROM book WHERE id = \(id)") { row in try Book(row) }
  }
  let count = try database.read { db in
    try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
  }

  let changed = try database.write { db in
    try db.execute("UPDATE book SET pages = \(500) WHERE title LIKE \("E%")")  // 1
  }
  guard book == books.last, count == changed else { return [] }
  return books
}

func find(
  _ database: Database, in ids: [Int64], of genre: Genre?, sortedBy column: String
) throws -> [String] {
  var conditions: [SQL] = ["id IN (\(ids))"]
  if let genre { conditions.append("genre = \(genre)") }
  var sql: SQL = "SELECT title FROM book WHERE \(conditions.joined(separator: " AND "))"
  sql += " ORDER BY \(identifier: column)"
  return try database.read { db in
    try db.fetchAll(sql) { row in try row[0] as String }
  }
}

func addMany(_ books: [Book], to database: Database) throws {
  try database.write { db in
    try db.prepare("INSERT INTO book(title, genre, pages) VALUES (?, ?, ?)") { insert in
      for book in books {
        try insert.bind(book.title, at: 1)
        try insert.bind(book.genre, at: 2)
        try insert.bind(book.pages, at: 3)
        try insert.run()
      }
    }
  }
}

struct AlreadyLent: Error, Equatable { var book: Int64 }

func lend(_ book: Int64, to reader: String, in database: Database) throws {
  try database.write { db in
    let lent = try db.fetchValue("SELECT count(*) FROM lending WHERE book = \(book)", as: Int.self)
    if lent > 0 { throw AlreadyLent(book: book) }  // undoes the write, and reaches the caller
    try db.execute("INSERT INTO lending VALUES (\(book), \(reader), \(Date.now))")
  }
}

func importTitles(_ titles: [String], into database: Database) throws -> [String] {
  try database.write(from: Database.Origin("import")) { db in
    var refused: [String] = []
    for title in titles {
      do {
        try db.transaction { db in  // a savepoint: undone alone
          try db.execute("INSERT INTO book(title, genre) VALUES (\(title), \(Genre.essay))")
        }
      } catch StorageError.Code.constraintViolated {
        refused.append(title)
      }
    }
    return refused
  }
}

func tidy(_ database: Database) throws {
  try database.writeWithoutTransaction { db in
    try db.execute("PRAGMA optimize")  // each statement is kept by itself
  }
}

func watchTitles(_ database: Database) async throws {
  let titles = database.values { db in
    try db.fetchAll("SELECT title FROM book ORDER BY title") { row in try row[0] as String }
  }
  for try await titles in titles {  // now, and when a commit has changed them
    print("\(titles.count) books")
    if titles.contains("Dune") { break }
  }
}

func observeImports(_ database: Database) throws -> Registration {
  try database.observe(.table("book", columns: ["title"]), detail: .rows) { changes in
    guard changes.origin != Database.Origin("import") else { return }
    for table in changes.tables ?? [] {  // nil: anything may have changed
      print("\(table.table): \(table.rows?.count ?? 0) rows")
    }
  }
}

func awaitCommit(_ database: Database) async throws -> [String] {
  let (commits, continuation) = AsyncStream.makeStream(of: CommittedChanges.self)
  let registration = try database.observe(.table("book")) { changes in continuation.yield(changes) }
  defer { registration.cancel() }
  try database.execute("UPDATE book SET shelf = 7 WHERE title = 'Emma'")
  var iterator = commits.makeAsyncIterator()
  let changes = await iterator.next()  // waits until the handler has been called
  return changes?.tables?.map(\.table) ?? []
}

struct ClosedToday: Error {}

func closeForToday(_ database: Database) -> Registration {
  let veto = database.intercept(
    TableInterceptor(
      of: ["lending"],
      before: { write in if write.operation == .insert { throw ClosedToday() } }))
  return veto
}

func elsewhere(_ database: Database) async throws -> Int {
  try await database.async.write { db in
    try db.execute("DELETE FROM lending WHERE day < \(Date.now)")
  }
  return try await database.async.read { db in
    try db.fetchValue("SELECT count(*) FROM lending", as: Int.self)
  }
}

func register(_ title: String, in database: Database) -> String {
  do {
    try database.write { db in
      try db.execute("INSERT INTO book(title) VALUES (\(title))")
    }
    return "registered"
  } catch SQLiteError.Code.constraintUnique {
    return "the book is registered already"
  } catch StorageError.Code.constraintViolated {
    return "the book breaks a rule of the table"
  } catch StorageError.Code.locked {
    return "another connection is writing; try again"
  } catch {
    return "\(error)"  // one line: what failed, why, what to do
  }
}

func retitle(_ title: String, to new: String, in database: Database) throws -> String {
  do {
    try database.execute("UPDATE book SET title = \(new) WHERE title = \(title)")
    return "renamed"
  } catch let error where SQLiteError(causeOf: error)?.constraint == .unique(columns: ["title"]) {
    return "the title is registered already"
  }
}

func explain(_ statement: SQL, in database: Database) -> String {
  do {
    try database.execute(statement)
    return "done"
  } catch {
    switch SQLiteError(causeOf: error)?.constraint {
    case .unique(let columns): return "a row has the same \(columns.joined(separator: ", "))"
    case .foreignKey: return "the row refers to no row, or is referred to"
    case .notNull(let column): return "\(column) is missing"
    case .check(let name): return "the check failed: \(name)"
    case .dataType: return "a value has the wrong type"
    case .trigger(let message): return message
    case nil: return "\(error)"  // no constraint
    }
  }
}

func libraryForTests() throws -> Database {
  let options = DatabaseOptions(
    showsArguments: true,  // SQLiteError.expandedSQL
    planCheck: { warning in throw warning })  // a full scan fails the test
  let database = try Database.inMemory(options)
  try migrate(database)
  return database
}

func watched(_ url: URL) throws -> Database {
  var options = DatabaseOptions()
  options.tracer = StatementTracer { trace in
    if trace.duration > .milliseconds(50) {
      print("\(trace.sql): \(trace.duration), \(trace.scannedRowCount) rows scanned")
    }
  }
  return try Database(at: url, options)
}

func routed(_ home: URL) throws -> Database {
  var storage = try Storage(home: home)
  try storage.use(.sqlite(at: home.appending(path: "library.sqlite")), for: .record)
  return try storage.database(for: .record)
}
