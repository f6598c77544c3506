import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of all ways in which a transaction ends, including a commit or rollback that fails.
@Suite struct TransactionEndTests {
  private struct Refusal: Error {}

  /// A library in a file, a second connection that reads it, and the connections of the engine.
  private struct Branch {
    let database: Database
    let other: OtherProgram
    let directory: URL

    var connections: [OpaquePointer] {
      RawConnections.all(in: directory).filter { $0 != other.connection }
    }

    /// Returns whether the other connection sees a title after its committed insertion.
    func lend(_ title: String) throws -> Bool {
      try database.write { db in try db.execute("INSERT INTO book(title) VALUES (\(title))") }
      return try other.texts("SELECT title FROM book").contains(title)
    }

    var openTransactions: Int { connections.count { sqlite3_get_autocommit($0) == 0 } }
  }

  private func withBranch(_ body: (Branch) async throws -> Void) async throws {
    #expect(RawConnections.record())
    try await withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(
        at: url, DatabaseOptions(lockTimeout: .hangLimit, readerCount: 1))
      try database.write { db in
        try db.executeScript(
          """
          CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
          CREATE TABLE loan(book INTEGER REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED);
          """)
      }
      // Opens the reader connection.
      _ = try database.read { db in try db.fetchValue("SELECT count(*) FROM book", as: Int.self) }
      try await body(
        Branch(database: database, other: try OtherProgram(url), directory: directory))
    }
  }

  // MARK: A savepoint that cannot be released

  enum LoneStatement: CaseIterable {
    case execute, rowsThatThrow, prepared, inAsync
  }

  @Test(arguments: LoneStatement.allCases)
  func `after SQLite refuses to release a statement's savepoint, later writes are committed`(
    _ statement: LoneStatement
  ) async throws {
    try await withBranch { (branch) async throws in
      // An interceptor with an `after` closure requires a savepoint for each statement outside a
      // transaction.
      let registration = branch.database.intercept(
        TableInterceptor(of: ["loan"], after: { _ in }))
      defer { registration.cancel() }

      await #expect(throws: (any Error).self) {
        switch statement {
        case .execute:
          try branch.database.writeWithoutTransaction { db in
            try db.execute("INSERT INTO loan(book) VALUES (999)")
          }
        case .rowsThatThrow:
          try branch.database.writeWithoutTransaction { db in
            try db.forEach("INSERT INTO loan(book) VALUES (999) RETURNING book") { _ in
              throw Refusal()
            }
          }
        case .prepared:
          try branch.database.writeWithoutTransaction { db in
            try db.prepare("INSERT INTO loan(book) VALUES (?)") { insert in
              try insert.bind(999, at: 1)
              try insert.run()
              throw Refusal()
            }
          }
        case .inAsync:
          try await branch.database.async.writeWithoutTransaction { db in
            try db.execute("INSERT INTO loan(book) VALUES (999)")
          }
        }
      }

      #expect(branch.openTransactions == 0)
      #expect(try branch.lend("Emma"))
      try branch.other.run("INSERT INTO book(title) VALUES ('Dune')")
    }
  }

  @Test
  func `if SQLite refuses to release a savepoint, the closure's later statements are committed`()
    async throws
  {
    try await withBranch { (branch) async throws in
      let registration = branch.database.intercept(
        TableInterceptor(of: ["loan"], after: { _ in }))
      defer { registration.cancel() }

      try branch.database.writeWithoutTransaction { db in
        _ = try? db.execute("INSERT INTO loan(book) VALUES (999)")
        try db.execute("INSERT INTO book(title) VALUES ('Emma')")
        try db.transaction { db in try db.execute("INSERT INTO book(title) VALUES ('Dune')") }
      }

      #expect(try branch.other.texts("SELECT title FROM book ORDER BY title") == ["Dune", "Emma"])
      #expect(try branch.other.texts("SELECT book FROM loan").isEmpty)
    }
  }

  // MARK: A ROLLBACK that fails

  enum Call: CaseIterable {
    case write, writeInMoreThanOne, read, asyncWrite, asyncRead, interruptible, keyed
  }

  /// Runs a transaction whose body throws.
  private func fail(_ call: Call, in branch: Branch) async throws {
    let insert: SQL = "INSERT INTO book(title) VALUES ('Ulysses')"
    let count: SQL = "SELECT count(*) FROM book"
    switch call {
    case .write:
      try branch.database.write { db in
        try db.execute(insert)
        throw Refusal()
      }
    case .writeInMoreThanOne:
      try branch.database.writeWithoutTransaction { db in
        try db.transaction { db in
          try db.execute(insert)
          throw Refusal()
        }
      }
    case .read:
      try branch.database.read { db in
        _ = try db.fetchValue(count, as: Int.self)
        throw Refusal()
      }
    case .asyncWrite:
      try await branch.database.async.write { db in
        try db.execute(insert)
        throw Refusal()
      }
    case .asyncRead:
      try await branch.database.async.read { db in
        _ = try db.fetchValue(count, as: Int.self)
        throw Refusal()
      }
    case .interruptible:
      // The calls that a migrator makes.
      try branch.database.writeWithoutTransaction { db in
        try Interruption().interrupting(db) { db in
          try db.transaction { db in
            try db.execute(insert)
            throw Refusal()
          }
        }
      }
    case .keyed:
      let veto = branch.database.intercept(
        TableInterceptor(of: ["undercroft_entry"], before: { _ in throw Refusal() }))
      defer { veto.cancel() }
      try SQLiteBackend(branch.database).apply([.set("theme", Data())])
    }
  }

  @Test(arguments: Call.allCases)
  func `an interrupted rollback is repeated before the connection is used again`(
    _ call: Call
  ) async throws {
    try await withBranch { (branch) async throws in
      let hook = StatementHook("ROLLBACK", on: branch.connections, limit: 1) {
        sqlite3_interrupt($0)
      }

      await #expect(throws: (any Error).self) { try await fail(call, in: branch) }

      #expect(hook.runCount == 2)
      #expect(branch.openTransactions == 0)
      #expect(try branch.lend("Emma"))
      let count = try branch.database.read { db in
        try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: Call.allCases)
  func `a connection whose rollback fails is closed and replaced by a new connection`(
    _ call: Call
  ) async throws {
    try await withBranch { (branch) async throws in
      let before = branch.connections.count
      let hook = StatementHook("ROLLBACK", on: branch.connections) { sqlite3_interrupt($0) }

      await #expect(throws: (any Error).self) { try await fail(call, in: branch) }

      #expect(hook.runCount >= 2)
      #expect(try branch.lend("Emma"))
      let count = try branch.database.read { db in
        try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
      }
      #expect(count == 1)
      #expect(branch.connections.count == before + 1)
    }
  }

  @Test(arguments: [true, false])
  func `cancelling a task does not interrupt a rollback`(isWriting: Bool) async throws {
    try await withBranch { (branch) async throws in
      let database = branch.database
      let task = Mutex<Task<Void, any Error>?>(nil)
      let hook = StatementHook("ROLLBACK", on: branch.connections) { _ in
        task.withLock { $0 }?.cancel()
      }
      let begin = Promise<Bool>()

      let made = Task {
        if isWriting {
          try await database.async.write { db in
            try db.execute("INSERT INTO book(title) VALUES ('Ulysses')")
            _ = begin.wait()
            throw Refusal()
          }
        } else {
          try await database.async.read { db in
            _ = try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
            _ = begin.wait()
            throw Refusal()
          }
        }
      }
      task.withLock { $0 = made }
      begin.fulfill(true)
      await #expect(throws: (any Error).self) { try await made.value }

      // The rollback ran once, so it was not interrupted.
      #expect(hook.runCount == 1)
      #expect(branch.openTransactions == 0)
      #expect(try branch.lend("Emma"))
    }
  }

  // MARK: A savepoint that cannot be rolled back

  @Test(arguments: ["ROLLBACK TO undercroft", "RELEASE undercroft"])
  func `the outer write is rolled back if a nested write cannot be rolled back alone`(sql: String)
    async throws
  {
    try await withBranch { (branch) async throws in
      let hook = StatementHook(sql, on: branch.connections) { sqlite3_interrupt($0) }

      #expect(throws: (any Error).self) {
        try branch.database.write { db in
          try db.execute("INSERT INTO book(title) VALUES ('Ulysses')")
          do {
            try branch.database.write { db in
              try db.execute("INSERT INTO book(title) VALUES ('Persuasion')")
              throw Refusal()
            }
          } catch is Refusal {}
          try db.execute("INSERT INTO book(title) VALUES ('Middlemarch')")
        }
      }

      #expect(hook.runCount > 0)
      #expect(branch.openTransactions == 0)
      #expect(try branch.other.texts("SELECT title FROM book").isEmpty)
      #expect(try branch.lend("Emma"))
    }
  }

  enum Interrupted: CaseIterable {
    /// The nested write that cannot be rolled back is directly inside the outermost write.
    case inFirst
    /// The nested write is inside another nested write, which fails as well.
    case inSecond
    /// The savepoint of the nested write cannot be released, although its closure has returned.
    case atItsEnd
  }

  /// In SQLite an interruption lasts as long as any statement of the connection is active, and also
  /// affects `ROLLBACK TO`.
  @Test(arguments: Interrupted.allCases)
  func `a write throws and commits nothing even if its closure ignores a failed nested rollback`(
    _ interrupted: Interrupted
  ) async throws {
    try await withBranch { (branch) async throws in
      let database = branch.database
      #expect(try branch.lend("Dune"))

      let error = #expect(throws: StorageError.self) {
        try database.write { db in
          try? db.forEach("SELECT title FROM book") { _ in
            try? database.write { db in
              try db.execute("INSERT INTO book(title) VALUES ('Persuasion')")
              guard interrupted == .inSecond else {
                database.interrupt()
                if interrupted == .inFirst { throw Refusal() }
                return
              }
              try? database.write { db in
                try db.execute("INSERT INTO book(title) VALUES ('Ulysses')")
                database.interrupt()
                throw Refusal()
              }
              throw Refusal()
            }
          }
        }
      }

      #expect(error?.code == .interrupted)
      #expect(branch.openTransactions == 0)
      #expect(try branch.other.texts("SELECT title FROM book") == ["Dune"])
      #expect(try branch.lend("Emma"))
    }
  }

  @Test
  func `if the rollback of a nested transaction fails, later calls in the outer write throw`()
    async throws
  {
    try await withBranch { (branch) async throws in
      let database = branch.database
      #expect(try branch.lend("Dune"))

      try? database.write { db in
        try? db.forEach("SELECT title FROM book") { _ in
          try? db.transaction { db in
            try db.execute("INSERT INTO book(title) VALUES ('Persuasion')")
            database.interrupt()
            throw Refusal()
          }
        }
        #expect(throws: StorageError.self) {
          try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
        }
        #expect(throws: StorageError.self) { try database.write { _ in } }
      }

      #expect(try branch.other.texts("SELECT title FROM book") == ["Dune"])
    }
  }

  @Test(arguments: [true, false])
  func `a transaction whose rollback failed at first is not reported to observers`(
    isOneOfSeveral: Bool
  ) async throws {
    try await withBranch { (branch) async throws in
      let database = branch.database
      #expect(try branch.lend("Dune"))
      let commits = CommitCollector()
      let registration = try database.observe(.table("book"), detail: .rows) { change in
        if change.origin == .application { commits.append(change) }
      }
      defer { registration.cancel() }

      #expect(throws: StorageError.self) {
        try database.writeWithoutTransaction { db in
          if isOneOfSeveral { try db.execute("INSERT INTO book(title) VALUES ('Emma')") }
          try? db.forEach("SELECT title FROM book") { _ in
            try db.transaction { db in
              try db.execute("INSERT INTO book(title) VALUES ('Persuasion')")
              database.interrupt()
              throw Refusal()
            }
          }
        }
      }
      try database.execute("INSERT INTO book(title) VALUES ('Ulysses')")

      let last = try database.fetchValue("SELECT max(id) FROM book", as: Int64.self)
      let expected: [Int64] = isOneOfSeveral ? [2, last] : [last]
      var rows: [Int64?] = []
      for _ in 0..<600_000 where !rows.contains(last) {
        rows += commits.drain().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }.map(\.rowID)
        if !rows.contains(last) { usleep(1_000) }
      }
      #expect(rows == expected)
      #expect(
        try branch.other.texts("SELECT title FROM book ORDER BY id")
          == ["Dune"] + (isOneOfSeveral ? ["Emma"] : []) + ["Ulysses"])
    }
  }

  // MARK: Transactions begun or ended directly in SQLite

  @Test(arguments: [true, false])
  func `a read or write throws a misuse error if the C API began a transaction on its connection`(
    isWriting: Bool
  ) async throws {
    try await withBranch { (branch) async throws in
      let connections = branch.connections.filter {
        (sqlite3_db_readonly($0, "main") == 0) == isWriting
      }
      for connection in connections {
        #expect(sqlite3_exec(connection, "BEGIN", nil, nil, nil) == SQLITE_OK)
      }

      let error = #expect(throws: StorageError.self) {
        if isWriting {
          try branch.database.write { db in
            try db.execute("INSERT INTO book(title) VALUES ('Ulysses')")
          }
        } else {
          _ = try branch.database.read { db in
            try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
          }
        }
      }

      #expect(error?.code == .misuse)
      #expect(branch.openTransactions == 0)
      #expect(try branch.lend("Emma"))
      let count = try branch.database.read { db in
        try db.fetchValue("SELECT count(*) FROM book", as: Int.self)
      }
      #expect(count == 1)
    }
  }

  @Test func `a transaction left open at the end of a call is rolled back, and the call throws`()
    async throws
  {
    try await withBranch { (branch) async throws in
      let writer = try #require(
        branch.connections.first { sqlite3_db_readonly($0, "main") == 0 })

      #expect(throws: StorageError.self) {
        try branch.database.writeWithoutTransaction { db in
          sqlite3_exec(writer, "BEGIN", nil, nil, nil)
          try db.execute("INSERT INTO book(title) VALUES ('Ulysses')")
        }
      }

      #expect(branch.openTransactions == 0)
      #expect(try branch.other.texts("SELECT title FROM book").isEmpty)
      #expect(try branch.lend("Emma"))
    }
  }

  @Test
  func `a transaction that a closure rolled back through the C API is not reported to observers`()
    async throws
  {
    try await withBranch { (branch) async throws in
      #expect(try branch.lend("Dune"))
      let commits = CommitCollector()
      let registration = try branch.database.observe(.table("book"), detail: .rows) { change in
        if change.origin == .application { commits.append(change) }
      }
      defer { registration.cancel() }

      #expect(throws: StorageError.self) {
        try branch.database.write { db in
          try db.execute("INSERT INTO book(id, title) VALUES (9, 'Ulysses')")
          for connection in branch.connections where sqlite3_get_autocommit(connection) == 0 {
            sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
          }
        }
      }
      #expect(try branch.lend("Emma"))

      var rows: [Int64?] = []
      for _ in 0..<600_000 where rows.isEmpty {
        rows += commits.drain().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }.map(\.rowID)
        if rows.isEmpty { usleep(1_000) }
      }
      #expect(rows == [2])
      #expect(try branch.other.texts("SELECT title FROM book ORDER BY id") == ["Dune", "Emma"])
    }
  }

  @Test func `a nested write is not committed if the outer write's transaction has already ended`()
    async throws
  {
    try await withBranch { (branch) async throws in
      #expect(try branch.lend("Dune"))

      #expect(throws: StorageError.self) {
        try branch.database.write { db in
          _ = try? db.execute("INSERT OR ROLLBACK INTO book(title) VALUES ('Dune')")
          _ = try? branch.database.execute("INSERT INTO book(title) VALUES ('Ulysses')")
        }
      }

      #expect(try branch.other.texts("SELECT title FROM book") == ["Dune"])
    }
  }
}
