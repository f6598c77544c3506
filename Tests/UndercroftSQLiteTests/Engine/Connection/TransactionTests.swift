import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct TransactionTests {
  private struct Refusal: Error, Equatable { let shelf: Int }

  enum Change: String, CaseIterable {
    case insert = "INSERT INTO book VALUES ('Emma', 3)"
    case update = "UPDATE book SET shelf = 9 WHERE title = 'Dune'"
    case delete = "DELETE FROM book WHERE title = 'Dune'"

    var sql: SQL {
      switch self {
      case .insert: "INSERT INTO book VALUES ('Emma', 3)"
      case .update: "UPDATE book SET shelf = 9 WHERE title = 'Dune'"
      case .delete: "DELETE FROM book WHERE title = 'Dune'"
      }
    }

    var result: [String: Int] {
      switch self {
      case .insert: ["Dune": 1, "Emma": 3]
      case .update: ["Dune": 9]
      case .delete: [:]
      }
    }
  }

  private func library() throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(title TEXT PRIMARY KEY, shelf INTEGER)")
      try db.execute("INSERT INTO book VALUES ('Dune', 1)")
    }
    return database
  }

  private func books(_ database: Database) throws -> [String: Int] {
    try database.read { db in
      let pairs = try db.fetchAll("SELECT title, shelf FROM book") { row in
        (try row[0] as String, try row[1] as Int)
      }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
  }

  @Test(
    .behaviour("A-CT-T01", "A-FM-40", "A-FM-42", "A-FM-44"), arguments: Change.allCases,
    [true, false])
  func `changes of a write are visible after a commit and absent after a rollback`(
    change: Change, isKept: Bool
  ) throws {
    let database = try library()
    let write = {
      try database.write { db in
        try db.execute(change.sql)
        if !isKept { throw Refusal(shelf: 1) }
      }
    }
    if isKept { try write() } else { #expect(throws: Refusal(shelf: 1)) { try write() } }

    #expect(try books(database) == (isKept ? change.result : ["Dune": 1]))
  }

  @Test(.behaviour("A-CT-T02"), .behaviour("A-WC-14"))
  func `an error thrown by a write closure reaches the caller unchanged and rolls back the write`()
    throws
  {
    let database = try library()
    #expect(throws: Refusal(shelf: 7)) {
      try database.write { db in
        try db.execute(Change.delete.sql)
        throw Refusal(shelf: 7)
      }
    }
    // An error of a statement is treated the same way.
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute(Change.update.sql)
        try db.execute("INSERT INTO book VALUES ('Dune', 2)")
      }
    }
    #expect(error?.code == .constraintViolated)
    #expect(try books(database) == ["Dune": 1])
  }

  @Test(.behaviour("A-CT-T02"), .behaviour("A-WC-14"))
  func `a failed commit throws, and the transaction is rolled back`() throws {
    let database = try library()
    try database.write { db in
      try db.execute(
        "CREATE TABLE loan(title TEXT REFERENCES book(title) DEFERRABLE INITIALLY DEFERRED)")
    }
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute(Change.insert.sql)
        try db.execute("INSERT INTO loan VALUES ('Lost')")
      }
    }
    #expect(error?.code == .constraintViolated)
    #expect((error?.underlying as? SQLiteError)?.code == .constraintForeignKey)
    #expect(try books(database) == ["Dune": 1])

    // The connection remains usable.
    try database.write { db in try db.execute(Change.insert.sql) }
    #expect(try books(database) == ["Dune": 1, "Emma": 3])
  }

  @Test(.behaviour("A-CT-T02"))
  func `a write that cannot begin its transaction throws without running the closure`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let first = try Database(at: url)
      let second = try Database(at: url, .init(lockTimeout: .zero))
      try first.write { _ in
        let error = #expect(throws: StorageError.self) {
          try second.write { _ in Issue.record("the closure was run without its transaction") }
        }
        #expect(error?.code == .locked)
      }
    }
  }

  @Test
  func `after an error ended the transaction of a write, later statements are not committed`()
    throws
  {
    let database = try library()
    let error = #expect(throws: StorageError.self) {
      try database.write { db in
        try db.execute(Change.insert.sql)
        do {
          try db.execute("INSERT OR ROLLBACK INTO book VALUES ('Dune', 2)")
          Issue.record("two books have one title")
        } catch {}
        let isOpen = db.isInTransaction
        #expect(!isOpen)
        // Outside a transaction this would be committed at once.
        try db.execute("INSERT INTO book VALUES ('Ulysses', 4)")
      }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("ended the transaction") == true)
    #expect(try books(database) == ["Dune": 1])
  }

  @Test
  func `after an error ended the transaction of a write, a prepared statement commits nothing`()
    throws
  {
    let database = try library()
    #expect(throws: StorageError.self) {
      try database.write { db in
        try db.prepare("INSERT OR ROLLBACK INTO book VALUES (?, 1)") { insert in
          for title in ["Emma", "Dune", "Ulysses"] {
            try insert.bind(title, at: 1)
            try? insert.run()
          }
        }
      }
    }
    #expect(try books(database) == ["Dune": 1])
  }

  @Test(
    .behaviour("A-FM-43"), .behaviour("A-WC-15"),
    arguments: [
      "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "SAVEPOINT shelf", "RELEASE shelf",
      "ROLLBACK TO shelf",
    ] as [SQL])
  func `executing SQL that begins or ends a transaction throws a misuse error`(sql: SQL) throws {
    let database = try library()
    for nested in [true, false] {
      let error = #expect(throws: StorageError.self) {
        if nested {
          try database.write { db in try db.execute(sql) }
        } else {
          try database.writeWithoutTransaction { db in try db.execute(sql) }
        }
      }
      #expect(error?.code == .misuse)
      // Inside `write` the advice to call `write` would be wrong.
      #expect(nested || error?.message.contains("write {") == true)
    }

    #expect(try books(database) == ["Dune": 1])
  }

  @Test(.behaviour("A-CT-T03", "A-FM-40", "A-FM-42"))
  func `a failed nested transaction is rolled back alone, a failed outer one with all nested ones`()
    throws
  {
    let database = try library()
    try database.write { db in
      try db.execute(Change.insert.sql)
      do {
        try db.transaction { db in
          try db.execute(Change.delete.sql)
          throw Refusal(shelf: 2)
        }
        Issue.record("the error got lost")
      } catch let error as Refusal {
        #expect(error.shelf == 2)
      }
      try db.transaction { db in try db.execute(Change.update.sql) }
    }

    #expect(try books(database) == ["Dune": 9, "Emma": 3])
    #expect(throws: Refusal(shelf: 3)) {
      try database.write { db in
        try db.transaction { db in try db.execute(Change.delete.sql) }
        throw Refusal(shelf: 3)
      }
    }
    #expect(try books(database) == ["Dune": 9, "Emma": 3])
  }

  @Test(.behaviour("A-WC-15"), .behaviour("A-WC-17"))
  func `only the writing thread sees uncommitted changes`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      try database.writeWithoutTransaction { db in
        let before = db.isInTransaction
        #expect(!before)
        try db.transaction { db in
          let inside = db.isInTransaction
          #expect(inside)
          try db.execute("INSERT INTO book VALUES ('Dune')")
          // The same thread reads through the writer connection and sees its changes. Other threads
          // do not.
          #expect(try self.count(database) == 1)
          let onAnotherThread = Promise<Int>()
          let thread = Thread { onAnotherThread.fulfill(try? self.count(database)) }
          thread.start()
          #expect(onAnotherThread.wait() == 0)
        }
        let after = db.isInTransaction
        #expect(!after)
      }
    }
  }

  private func count(_ database: Database) throws -> Int? {
    try database.read { db in try db.fetchOne("SELECT count(*) FROM book") { row in try row[0] } }
  }

  @Test(.behaviour("A-CT-T04"), .behaviour("A-FM-43"))
  func
    `a deferred transaction permits another writer, unlike an immediate or exclusive transaction`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let first = try Database(at: url)
      let second = try Database(at: url, .init(lockTimeout: .milliseconds(20)))
      try first.write { db in try db.execute("CREATE TABLE loan(number INTEGER)") }
      let borrow: () throws -> Void = { try second.execute("INSERT INTO loan VALUES (1)") }
      try first.write(lock: .deferred) { _ in try borrow() }
      for lock in [TransactionLock.immediate, .exclusive] {
        try first.write(lock: lock) { _ in
          let error = #expect(throws: StorageError.self) { try borrow() }
          #expect(error?.code == .locked)
        }
      }

      // A deferred transaction that has read an older snapshot can no longer write.
      let error = #expect(throws: StorageError.self) {
        try first.write(lock: .deferred) { db in
          _ = try db.fetchAll("SELECT * FROM loan") { _ in }
          try borrow()
          try db.execute("INSERT INTO loan VALUES (2)")
        }
      }
      #expect((error?.underlying as? SQLiteError)?.code == .busySnapshot)
    }
  }

  @Test
  func `write and transaction accept a closure stored in a variable as an unlabelled argument`()
    async throws
  {
    let database = try Database.inMemory()
    let lend: @Sendable (Connection) throws -> Int = { db in
      try db.execute("CREATE TABLE IF NOT EXISTS loan(day TEXT)")
      return try db.execute("INSERT INTO loan VALUES ('Monday')")
    }

    #expect(try database.write(lend) == 1)
    #expect(try database.write(lock: .exclusive, lend) == 1)
    #expect(try database.write { db in try db.transaction(lend) } == 1)
    #expect(try await database.async.write(lend) == 1)
    #expect(try await database.async.write(lock: .deferred, lend) == 1)

    let count = try database.read { db in
      try db.fetchValue("SELECT count(*) FROM loan", as: Int.self)
    }
    #expect(count == 5)
  }

  @Test func `a read can query the journal mode but cannot change it`() throws {
    try withTemporaryDirectory { directory in
      let database = try Database(at: directory.appending(path: "library.sqlite"))

      let mode = try database.fetchValue("PRAGMA journal_mode", as: String.self)
      let explicit = try database.fetchValue("PRAGMA main.journal_mode", as: String.self)

      #expect(mode == "wal" && explicit == "wal")
      for sql in ["PRAGMA journal_mode = WAL", "PRAGMA incremental_vacuum"] as [SQL] {
        #expect(throws: StorageError.self) { try database.read { db in try db.execute(sql) } }
      }
    }
  }

  @Test func `each statement in a writeWithoutTransaction closure is committed separately`() throws
  {
    let database = try library()
    #expect(throws: Refusal(shelf: 1)) {
      try database.writeWithoutTransaction { db in
        try db.execute(Change.insert.sql)
        throw Refusal(shelf: 1)
      }
    }
    #expect(try books(database) == ["Dune": 1, "Emma": 3])

    try database.writeWithoutTransaction { db in try db.execute("VACUUM") }
    let error = #expect(throws: StorageError.self) {
      try database.write { _ in try database.writeWithoutTransaction { _ in } }
    }
    #expect(error?.code == .misuse)
  }
}
