import BehaviourTrait
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLFunctionTests {
  private struct Refusal: Error, Equatable { var reason: String }

  private final class Probe: Sendable {
    private let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
    func touch() -> Int { 1 }
  }

  private func library(_ function: SQLFunction) throws -> Database {
    try Database.inMemory(.init(setUp: { db in try db.add(function) }))
  }

  @Test(.behaviour("A-FM-51"))
  func `a custom function accepts and returns text, numbers, bytes and NULL`() throws {
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(
          SQLFunction("shout", argumentCount: 1) { arguments in
            let text: String? = try arguments[0]
            return text?.uppercased()
          })
        try db.add(SQLFunction("half", argumentCount: 1) { try $0[0] as Double / 2 })
        try db.add(SQLFunction("next", argumentCount: 1) { try $0[0] as Int64 &+ 1 })
        try db.add(SQLFunction("turned", argumentCount: 1) { Data(try ($0[0] as Data).reversed()) })
        try db.add(SQLFunction("nought", argumentCount: 0) { _ in nil })
        try db.add(SQLFunction("empty", argumentCount: 0) { _ in "" })
        try db.add(SQLFunction("bare", argumentCount: 0) { _ in Data() })
        try db.add(SQLFunction("number") { arguments in arguments.count })
      }))
    try database.read { db in
      try #expect(
        db.fetchValue("SELECT shout('a\(identifier: "x")b')", as: String.self) == "A\"X\"B")
      try #expect(db.fetchValue("SELECT shout(\("a\0ü"))") == "A\0Ü")
      try #expect(db.fetchValue("SELECT shout(NULL) IS NULL") == true)
      try #expect(db.fetchValue("SELECT half(3)", as: Double.self) == 1.5)
      try #expect(db.fetchValue("SELECT next(9223372036854775806)") == Int64.max)
      try #expect(db.fetchValue("SELECT turned(x'010203')") == Data([3, 2, 1]))
      try #expect(
        db.fetchValue("SELECT typeof(nought()) || typeof(empty()) || typeof(bare())")
          == "nulltextblob")
      try #expect(db.fetchValue("SELECT number() || number(1) || number(1, 2, 3)") == "013")
    }
  }

  @Test(.behaviour("A-FM-51"))
  func `calling a custom function with a wrong number or type of arguments throws`() throws {
    let database = try library(SQLFunction("pages", argumentCount: 1) { try $0[0] as Int })
    for sql in ["SELECT pages()", "SELECT pages(1, 2)", "SELECT leaves(1)"] as [SQL] {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchValue(sql, as: Int.self) }
      }
      #expect(error?.code == .misuse)
    }
    for sql in ["SELECT pages('many')", "SELECT pages(NULL)", "SELECT pages(1.5)"] as [SQL] {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchValue(sql, as: Int.self) }
      }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains("argument 0") == true)
    }
    let variadic = try library(SQLFunction("third") { try $0[2] as Int })

    let error = #expect(throws: StorageError.self) {
      try variadic.read { db in try db.fetchValue("SELECT third(1, 2)", as: Int.self) }
    }
    #expect(error?.code == .misuse)
  }

  @Test(.behaviour("A-FM-51"))
  func
    `an error thrown by a custom function reaches the caller unchanged from every kind of query`()
    throws
  {
    let database = try library(
      SQLFunction("refuse", argumentCount: 1) { throw Refusal(reason: try $0[0]) })
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
    let calls: [(Connection) throws -> Void] = [
      { db in _ = try db.fetchAll("SELECT refuse('a')") { _ in 1 } },
      { db in _ = try db.fetchOne("SELECT refuse(\("a"))") { _ in 1 } },
      { db in try db.forEach("SELECT refuse('a')") { _ in } },
      { db in try db.execute("INSERT INTO book VALUES (refuse('a'))") },
      { db in try db.prepare("SELECT refuse('a')") { try $0.run() } },
      { db in _ = try db.fetchValue("SELECT refuse('a')", as: Int.self) },
      { db in try db.transaction { db in _ = try db.execute("DELETE FROM book WHERE refuse('a')") }
      },
    ]
    try database.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }
    for call in calls {
      let error = #expect(throws: Refusal.self) { try database.write { db in try call(db) } }
      #expect(error == Refusal(reason: "a"))
    }

    let other = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT absent", as: Int.self) }
    }
    #expect(other?.code == .misuse)
    #expect(try database.read { db in try db.fetchValue("SELECT count(*) FROM book") } == 1)
  }

  @Test(.behaviour("A-FM-51"))
  func `a query throws if a custom function's result is too large or unsupported by SQLite`() throws
  {
    let database = try Database.inMemory(
      .init(
        setUp: { db in
          try db.add(SQLFunction("long") { _ in String(repeating: "a", count: 1_000_001) })
          try db.add(SQLFunction("wide") { _ in Data(count: 1_000_001) })
          try db.add(SQLFunction("none") { _ in Double.nan })
          try db.add(SQLFunction("beyond") { _ in UInt64.max })
          try db.add(
            SQLFunction("exhausted") { _ in
              throw StorageError(.io, "cannot count: out of memory")
            })
        }, maximumValueByteCount: 1_000_000))
    let codes: [(SQL, StorageError.Code)] = [
      ("SELECT long()", .tooLarge), ("SELECT wide()", .tooLarge),
      ("SELECT none()", .encodingFailed),
      ("SELECT beyond()", .encodingFailed), ("SELECT exhausted()", .io),
    ]
    for (sql, code) in codes {
      let error = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchValue(sql, as: SQLValue.self) }
      }
      #expect(error?.code == code)
    }
  }

  @Test func `a custom function can query the database, and rethrows the errors of its query`()
    throws
  {
    try withTemporaryDirectory { directory in
      let opened = Mutex<Database?>(nil)
      let database = try Database(
        at: directory.appending(path: "library.sqlite"),
        .init(setUp: { db in
          try db.add(
            SQLFunction("titles", argumentCount: 1) { arguments in
              let expected: String = try arguments[0]
              return try opened.withLock { $0 }?.read { db in
                try db.fetchValue("SELECT count(*) FROM book WHERE title = \(expected)") as Int?
              }
            })
        }))
      opened.withLock { $0 = database }
      defer { opened.withLock { $0 = nil } }
      let missing = #expect(throws: StorageError.self) {
        try database.read { db in try db.fetchValue("SELECT titles('Emma')", as: Int.self) }
      }
      #expect(missing?.message.contains("no such table: book") == true)

      try database.write { db in
        try db.execute("CREATE TABLE book(title TEXT)")
        try db.execute("INSERT INTO book VALUES ('Emma')")
        #expect(try db.fetchValue("SELECT titles('Emma')") == 1)
      }
      #expect(try database.read { db in try db.fetchValue("SELECT titles('Emma')") } == 1)
    }
  }

  @Test func `a custom function is released with its connection or when it is replaced`() throws {
    let count = Mutex(0)
    let database = try Database.inMemory(
      .init(setUp: { db in
        for _ in 0..<2 {
          let probe = Probe { count.withLock { $0 += 1 } }
          try db.add(SQLFunction("probe", argumentCount: 0) { _ in probe.touch() })
        }
        let refused = Probe { count.withLock { $0 += 1 } }
        #expect(throws: StorageError.self) {
          try db.add(SQLFunction("probe", argumentCount: 128) { _ in refused.touch() })
        }
      }))
    #expect(count.withLock { $0 } == 2)
    #expect(try database.read { db in try db.fetchValue("SELECT probe()") } == 1)

    try database.close()
    #expect(count.withLock { $0 } == 3)
  }

  @Test(arguments: ["", "a\0b", String(repeating: "n", count: 256)])
  func `a function name that is empty, too long or contains NUL throws a misuse error`(
    name: String
  ) throws {
    let error = #expect(throws: StorageError.self) {
      try library(SQLFunction(name) { _ in 1 })
    }
    #expect(error?.code == .misuse)
  }

  @Test func `views and indexes can call a custom function only if the function is innocuous`()
    throws
  {
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(SQLFunction("secret", argumentCount: 0) { _ in 7 })
        try db.add(
          SQLFunction("folded", argumentCount: 1, isDeterministic: true, isInnocuous: true) {
            try ($0[0] as String).lowercased()
          })
      }))
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT)")
      try db.execute("CREATE UNIQUE INDEX by_folded ON book(folded(title))")
      try db.execute("INSERT INTO book VALUES ('ÉMILE')")
      try db.execute("CREATE VIEW listing AS SELECT secret() FROM book")
    }

    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT * FROM listing", as: Int.self) }
    }
    #expect(error?.message.contains("isInnocuous") == true)
    let twice = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("INSERT INTO book VALUES ('émile')") }
    }
    #expect(twice?.code == .constraintViolated)
    #expect(
      try database.read { db in
        try db.fetchValue("SELECT title FROM book WHERE folded(title) = 'émile'")
      }
        == "ÉMILE")
  }

  @Test func `the error for a missing function suggests the set-up closure`() throws {
    let error = #expect(throws: StorageError.self) {
      try Database.inMemory().read { db in try db.fetchValue("SELECT absent(1)", as: Int.self) }
    }
    #expect(error?.message.contains("setUp") == true)
  }

  @Test func `a custom function that writes during a writing statement throws a misuse error`()
    throws
  {
    let box = Promise<Database>()
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(
          SQLFunction("lend") { _ in
            try box.wait()?.write { db in try db.execute("INSERT INTO loan VALUES (1, 'Ada')") }
          })
      }))
    try Library.fill(database)
    box.fulfill(database)

    let error = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("UPDATE book SET title = title || lend()") }
    }
    #expect(error?.code == .misuse)
    #expect("\(error as Any)".contains("has ended"))
    #expect(try database.read { db in try db.fetchValue("SELECT count(*) FROM loan") } == 0)
  }

  /// A container of a database, so that a function can query the database in which it is
  /// registered.
  private final class Shelf: Sendable {
    private let held = Mutex<Database?>(nil)

    var database: Database? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  @Test
  func `a custom function that calls itself through a query throws beyond a depth of 32 calls`()
    throws
  {
    let shelf = Shelf()
    defer { shelf.database = nil }
    let database = try Database.inMemory(
      .init(setUp: { db in
        try db.add(
          SQLFunction("depth", argumentCount: 1) { arguments in
            let expected: Int = try arguments[0]
            if expected == 0 { return 0 }
            return try shelf.database?.read { db in
              try db.fetchValue("SELECT 1 + depth(\(expected - 1))") as Int?
            }
          })
      }))
    shelf.database = database

    #expect(try database.read { db in try db.fetchValue("SELECT depth(20)") } == 20)
    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT depth(100000)") as Int? }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("more than 32 calls of functions") == true)
    #expect(try database.read { db in try db.fetchValue("SELECT depth(20)") } == 20)
  }

  @Test
  func `a schema can use FTS5 tables in triggers, but by default no custom function in views`()
    throws
  {
    var options = DatabaseOptions()
    options.setUp = { db in
      try db.add(SQLFunction("folded", argumentCount: 1) { try $0[0] as String })
    }
    let database = try Database.inMemory(options)
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
        CREATE VIRTUAL TABLE page USING fts5(title, content = 'book', content_rowid = 'id');
        CREATE TRIGGER adding AFTER INSERT ON book BEGIN
          INSERT INTO page(rowid, title) VALUES (new.id, new.title);
        END;
        """)
      try db.execute("INSERT INTO book(title) VALUES ('Dune')")
    }
    let found: SQL = "SELECT title FROM page WHERE page MATCH \(FullTextQuery(matchingAll: "dune"))"
    #expect(try database.fetchAll(found) { try $0[0] as String } == ["Dune"])
    try database.execute("CREATE VIEW shouted AS SELECT folded(title) FROM book")
    let error = #expect(throws: StorageError.self) {
      try database.fetchAll("SELECT * FROM shouted") { _ in }
    }
    #expect(error?.message.contains("isInnocuous") == true)
  }

  @Test
  func `an error of a function in a prepared statement is rethrown when the prepare closure ends`()
    throws
  {
    struct Lost: Error {}
    let database = try Database.inMemory(
      .init(setUp: { db in try db.add(SQLFunction("find") { _ in throw Lost() }) }))

    #expect(throws: Lost.self) {
      try database.read { db in
        try db.prepare("SELECT find()") { statement in
          do throws(StorageError) { try statement.run() } catch {
            #expect(error.code == .misuse)
            throw error
          }
        }
      }
    }
  }
}
