import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of a connection as a value: which closures can capture it, and how long it is valid.
@Suite struct ConnectionHandleTests {
  /// The calls of a connection that can throw.
  enum Call: CaseIterable {
    case execute, fetchAll, fetchOne, fetchValue, forEach, forEachUntil, prepare, transaction
    case executeScript, schema, validate, userVersion, databases, foreignKeyCheck
    case addFunction, addCollation, addTokenizer

    func run(on db: Connection) throws {
      switch self {
      case .execute: try db.execute("INSERT INTO book(title) VALUES ('Dune')")
      case .fetchAll: _ = try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
      case .fetchOne: _ = try db.fetchOne("SELECT title FROM book") { row in try row[0] as String }
      case .fetchValue: _ = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
      case .forEach: try db.forEach("SELECT 1") { _ in }
      case .forEachUntil: try db.forEachUntil("SELECT 1") { _ in .stop }
      case .prepare: try db.prepare("SELECT 1") { statement in try statement.run() }
      case .transaction: try db.transaction { _ in }
      case .executeScript: try db.executeScript("DELETE FROM book")
      case .schema: _ = try db.schema()
      case .validate: try db.validate("SELECT 1")
      case .userVersion: _ = try db.userVersion()
      case .databases: _ = try db.databases()
      case .foreignKeyCheck: _ = try db.foreignKeyCheck()
      case .addFunction: try db.add(SQLFunction("shelf_mark") { _ in nil })
      case .addCollation: try db.add(SQLCollation("shelf_order") { $0 < $1 })
      case .addTokenizer: try db.add(SpaceTokenizer.self, named: "space")
      }
    }
  }

  struct SpaceTokenizer: FullTextTokenizer {
    init(arguments: [String]) throws {}
    func tokenize(
      _ text: String, for purpose: FullTextTokenizerPurpose, emit: (FullTextToken) throws -> Void
    ) throws {}
  }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try Library.fill(database)
    return database
  }

  // MARK: Capturing

  @Test func `a local function and a stored closure can capture a connection`() throws {
    let count = try library().write { db in
      func add(_ title: String) throws {
        try db.execute("INSERT INTO book(title) VALUES (\(title))")
      }
      let books: () throws -> Int = { try db.fetchValue("SELECT count(*) FROM book") }
      try add("Emma")
      try ["Dune", "Ulysses"].forEach(add)
      return try books()
    }

    #expect(count == 6)
  }

  @Test func `a lazy sequence can query a connection inside the closure of a read`() throws {
    let titles = try library().read { db in
      let numbers = [3, 1].lazy.map { id in
        try? db.fetchValue("SELECT length(title) FROM book WHERE id = \(id)", as: Int.self)
      }
      return Array(numbers)
    }

    #expect(titles.count == 2)
    #expect(titles.allSatisfy { ($0 ?? 0) > 0 })
  }

  @Test func `the properties of a connection can be used in a test expectation`() throws {
    let database = try library()
    try database.write { db in
      #expect(db.isInTransaction)
      #expect(db.lastInsertedRowID == 3)
      #expect(db.supports(.json))
    }
    try database.writeWithoutTransaction { db in #expect(!db.isInTransaction) }
  }

  @Test func `a write closure of one line can use $0 as its connection`() throws {
    let database = try library()
    try database.write { try $0.execute("DELETE FROM book WHERE id = 1") }
    let count = try database.read { try $0.fetchValue("SELECT count(*) FROM book", as: Int.self) }

    #expect(count == 2)
  }

  @Test func `a connection stored in a structure can be used until the read closure ends`() throws {
    struct Shelf {
      let db: Connection
      func count() throws -> Int { try db.fetchValue("SELECT count(*) FROM book") }
    }
    let count = try library().read { db in try Shelf(db: db).count() }

    #expect(count == 3)
  }

  // MARK: After the closure

  @Test(arguments: Call.allCases)
  func `after a read or write closure ended, every call on its connection throws a misuse error`(
    _ call: Call
  ) throws {
    let database = try library()
    let leaked = try database.write { db in db }

    let error = #expect(throws: StorageError.self) { try call.run(on: leaked) }

    #expect(error?.code == .misuse)
    #expect(
      error?.message.contains("the closure that received the connection has returned") == true)
    #expect(try Library.count(database) == 3)
  }

  @Test
  func `after a read or write closure ended, its connection's properties have default values`()
    throws
  {
    let leaked = try library().write { db in db }

    #expect(!leaked.isInTransaction)
    #expect(leaked.lastInsertedRowID == 0)
    #expect(!leaked.supports(.json))
  }

  @Test
  func `using a captured connection throws a misuse error after the read or write closure ended`()
    throws
  {
    let database = try library()
    let counts = try database.read { db in
      [1, 2].lazy.map { id in
        Result { try db.fetchValue("SELECT count(*) FROM book WHERE id = \(id)", as: Int.self) }
      }
    }

    let errors = counts.map { result in
      #expect(throws: StorageError.self) { try result.get() }
    }
    #expect(errors.map { $0?.code } == [.misuse, .misuse])
  }

  @Test
  func `after a write ended, its Connection value is invalid even while another write runs`()
    throws
  {
    let database = try library()
    let leaked = try database.write { db in db }

    try database.write { db in
      let error = #expect(throws: StorageError.self) { try Call.execute.run(on: leaked) }
      #expect(error?.code == .misuse)
      #expect(!leaked.isInTransaction)
      try Call.execute.run(on: db)
    }

    #expect(try Library.count(database) == 4)
  }

  @Test func `a connection stored from an earlier read cannot be used inside a write`() throws {
    try withTemporaryDirectory { folder in
      let database = try Database(at: folder.appending(path: "library.sqlite"))
      try Library.fill(database)
      let leaked = try database.read { db in db }

      try database.write { _ in
        let error = #expect(throws: StorageError.self) { try Call.fetchValue.run(on: leaked) }
        #expect(error?.code == .misuse)
      }
    }
  }

  @Test
  func `writing through the connection of a read nested in a write throws a misuse error`() throws {
    let database = try library()
    try database.write { db in
      let reader = try database.read { db in db }
      #expect(try reader.fetchValue("SELECT count(*) FROM book", as: Int.self) == 3)
      let error = #expect(throws: StorageError.self) { try Call.execute.run(on: reader) }
      #expect(error?.code == .misuse)
      try Call.execute.run(on: db)
    }

    #expect(try Library.count(database) == 4)
  }

  @Test func `a connection of a nested write is valid until the outermost write ends`() throws {
    let database = try library()
    var leaked: Connection?
    try database.write { _ in
      leaked = try database.write { db in db }
      if let leaked { try Call.execute.run(on: leaked) }
    }

    #expect(try Library.count(database) == 4)
    let error = #expect(throws: StorageError.self) { try leaked.map(Call.execute.run) }
    #expect(error?.code == .misuse)
  }

  @Test func `after a failed write, the connection of the write closure is invalid`() throws {
    struct Refused: Error {}
    let database = try library()
    var leaked: Connection?
    #expect(throws: Refused.self) {
      try database.write { db in
        leaked = db
        throw Refused()
      }
    }

    let error = #expect(throws: StorageError.self) { try leaked.map(Call.execute.run) }
    #expect(error?.code == .misuse)
  }

  @Test(arguments: Call.allCases)
  func `calls on a connection throw a misuse error after its database was closed and reopened`(
    _ call: Call
  ) throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "library.sqlite")
      let database = try Database(at: url)
      try Library.fill(database)
      let leaked = [try database.write { db in db }, try database.read { db in db }]
      database.closeIdleReaders()
      try database.close()
      let again = try Database(at: url)
      #expect(try Library.count(again) == 3)

      for leaked in leaked {
        let error = #expect(throws: StorageError.self) { try call.run(on: leaked) }
        #expect(error?.code == .misuse)
        #expect(!leaked.isInTransaction)
        #expect(leaked.lastInsertedRowID == 0)
      }
    }
  }

  @Test
  func `a Connection value stored before whileClosed is invalid in a write after whileClosed`()
    throws
  {
    try withTemporaryDirectory { folder in
      let database = try Database(at: folder.appending(path: "library.sqlite"))
      try Library.fill(database)
      let leaked = try database.write { db in db }
      try database.whileClosed { _ in }

      try database.write { _ in
        let error = #expect(throws: StorageError.self) { try Call.fetchValue.run(on: leaked) }
        #expect(error?.code == .misuse)
      }
    }
  }

  @Test func `after the set-up closure ended, its connection is invalid`() throws {
    nonisolated(unsafe) var leaked: Connection?
    let database = try Database.inMemory(DatabaseOptions(setUp: { db in leaked = db }))
    let escaped = try #require(leaked)

    try database.write { _ in
      let error = #expect(throws: StorageError.self) { try escaped.execute("SELECT 1") }
      #expect(error?.code == .misuse)
    }
  }
}
