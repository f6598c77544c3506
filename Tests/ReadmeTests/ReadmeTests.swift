import Foundation
import Synchronization
import TestSupport
import Testing
import Undercroft

@Suite struct ReadmeTests {
  private func withHome<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    try await withTemporaryDirectory { try await body($0.appending(path: "home")) }
  }

  @Test func `the first example of the README saves and loads a session`() async throws {
    let session = try await withHome { home in try visit(home) }
    #expect(session == Session(reader: "Ada"))
  }

  @Test func `the examples of the storage guide return the documented results`() async throws {
    try await withHome { home in
      let storage = try Storage(home: home)
      let names = try oneByOne(storage)
      #expect(names == ["loan/2"])

      try storage.save(Loan(book: "Dune", days: 3), for: .loan(1))
      let days = try several(storage)
      #expect(days == 3)

      let longer = try storage.load(.loan(2))
      #expect(longer == Loan(book: "Emma", days: 10))

      let file = try FileHandle(forReadingFrom: URL(filePath: #filePath))
      let count = try inChunks(storage, from: file)
      #expect(count > 1_000)

      try storage.save(21, for: .fontSize)
      await watch(storage)
      for registration in try watchWithClosure(storage) + check(storage) { registration.cancel() }
      #expect(bySubscript(storage) == 16)
      let loan = try await elsewhere(storage)
      #expect(loan == Loan(book: "Dune", days: 14))

      let size = try layered(home.appending(path: "layered"))[.fontSize]
      #expect(size == 20)
      #expect(told(storage) == "nobody")
    }
  }

  @Test(.timeLimit(.hangLimit))
  func `the examples of the SQLite guide return the documented results`() async throws {
    try await withHome { home in
      let database = try openLibrary(home)
      try migrate(database)
      let books = try writeAndRead(database)
      #expect(books == [Book(id: 1, title: "Emma", genre: .novel, pages: 474)])
      let essay = Book(id: 0, title: "Walden", genre: .essay, pages: nil)
      try addMany([essay], to: database)
      #expect(try find(database, in: [1, 2], of: nil, sortedBy: "pages") == ["Walden", "Emma"])
      #expect(try find(database, in: [1, 2], of: .novel, sortedBy: "title") == ["Emma"])

      try lend(1, to: "Ada", in: database)
      #expect(throws: AlreadyLent(book: 1)) { try lend(1, to: "Ben", in: database) }
      let closed = closeForToday(database)
      #expect(throws: ClosedToday.self) { try lend(2, to: "Ben", in: database) }
      closed.cancel()
      let left = try await elsewhere(database)
      #expect(left == 0)

      let observing = try observeImports(database)
      #expect(try importTitles(["Emma", "Ulysses"], into: database) == ["Emma"])
      #expect(register("Dune", in: database) == "registered")
      #expect(register("Dune", in: database) == "the book is registered already")
      #expect(try retitle("Dune", to: "Emma", in: database) == "the title is registered already")
      observing.cancel()
      try await watchTitles(database)
      let columns = ["id", "title", "genre", "pages", "shelf"]
      let indexes = ["sqlite_autoindex_book_1", "lending_by_book"]
      try #expect(inspectSchema(database) == columns + indexes)
      #expect(try await awaitCommit(database) == ["book"])
      try tidy(database)
      try buildAnew(database)
      let found = try routed(home).read { db in
        try db.fetchValue("SELECT count(*) FROM book") as Int?
      }
      #expect(found == 4)

      let tested = try libraryForTests()
      #expect(throws: PlanWarning.self) {
        try tested.read { db in
          try db.fetchValue("SELECT id FROM book WHERE shelf = 1", as: Int.self)
        }
      }
      let traced = try watched(home.appending(path: "library.sqlite"))
      #expect(try traced.read { db in try db.userVersion() } == 2)
    }
  }

  @Test func `the examples of errors in the SQLite guide name the violated constraint`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE reader(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE loan(
          reader INTEGER REFERENCES reader(id), days INTEGER CONSTRAINT positive CHECK (days > 0),
          note TEXT CHECK (note <> ''));
        CREATE TRIGGER closed BEFORE DELETE ON loan BEGIN SELECT RAISE(ABORT, 'closed today'); END;
        INSERT INTO reader VALUES (1, 'Ada');
        """)
    }

    func explained(_ statement: SQL) -> String { explain(statement, in: database) }

    #expect(explained("INSERT INTO reader(name) VALUES ('Ada')") == "a row has the same name")
    #expect(explained("INSERT INTO reader VALUES (1, 'Ben')") == "a row has the same id")
    #expect(explained("INSERT INTO reader(name) VALUES (NULL)") == "name is missing")
    #expect(explained("INSERT INTO reader VALUES (2, x'00')") == "a value has the wrong type")
    let foreign = "the row refers to no row, or is referred to"
    #expect(explained("INSERT INTO loan VALUES (9, 1, 'x')") == foreign)
    #expect(explained("INSERT INTO loan VALUES (1, 0, 'x')") == "the check failed: positive")
    #expect(explained("INSERT INTO loan VALUES (1, 1, '')") == "the check failed: note <> ''")
    #expect(explained("INSERT INTO loan VALUES (1, 1, 'x')") == "done")
    #expect(explained("DELETE FROM loan") == "closed today")
    #expect(explained("DELETE FROM reader") == foreign)
    #expect(explained("DELETE FROM shelf").contains("no such table"))
  }

  @Test func `if no other thread is writing, an observer is called before the write call returns`()
    throws
  {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE book(title TEXT)")
    let titles = Mutex<[String]>([])
    let registration = try database.observe(.table("book")) { _ in
      let found = try? database.fetchAll("SELECT title FROM book") { row in try row[0] as String }
      titles.withLock { $0 = found ?? [] }
    }

    try database.execute("INSERT INTO book VALUES ('Emma')")

    #expect(titles.withLock { $0 } == ["Emma"])
    registration.cancel()
  }
}
