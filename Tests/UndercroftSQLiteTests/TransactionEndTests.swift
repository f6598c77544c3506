import CSQLite
import Foundation
import Synchronization
import Testing
import UndercroftCore
import UndercroftSQLite

/// Every way in which a transaction ends, also where its own end fails.
@Suite struct TransactionEndTests {
  private struct Refusal: Error {}

  /// A library in a file, a second program that reads it, and the connections by which the engine has it open.
  private struct Branch {
    let database: Database
    let other: OtherProgram
    let directory: URL

    var connections: [OpaquePointer] {
      RawConnections.all(in: directory).filter { $0 != other.connection }
    }

    /// Whether a title that was acknowledged is there for the other program.
    func lend(_ title: String) throws -> Bool {
      try database.write { db in try db.execute("INSERT INTO book(title) VALUES (\(title))") }
      return try other.texts("SELECT title FROM book").contains(title)
    }

    var openTransactions: Int { connections.count { sqlite3_get_autocommit($0) == 0 } }
  }

  private func withBranch(_ body: (Branch) async throws -> Void) async throws {
    #expect(RawConnections.record())
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = directory.appending(path: "library.sqlite")
    let database = try Database(at: url, DatabaseOptions(lockTimeout: .seconds(60), readerCount: 1))
    try database.write { db in
      try db.executeScript(
        """
        CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
        CREATE TABLE loan(book INTEGER REFERENCES book(id) DEFERRABLE INITIALLY DEFERRED);
        """)
    }
    // So that the reader's connection is open.
    _ = try database.read { db in try db.value("SELECT count(*) FROM book", as: Int.self) }
    try await body(
      Branch(database: database, other: try OtherProgram(url), directory: directory))
  }

  // MARK: A savepoint that cannot be released

  enum LoneStatement: CaseIterable {
    case execute, rowsThatThrow, prepared, inAsync
  }

  @Test(arguments: LoneStatement.allCases)
  func `a write is there for others after a statement whose release was refused`(
    _ statement: LoneStatement
  ) async throws {
    try await withBranch { (branch) async throws in
      // An interceptor with a second half makes a savepoint of each statement outside of a transaction.
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

  @Test func `statements after a refused release in the same closure are kept by themselves`()
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
        _ = try db.value(count, as: Int.self)
        throw Refusal()
      }
    case .asyncWrite:
      try await branch.database.async.write { db in
        try db.execute(insert)
        throw Refusal()
      }
    case .asyncRead:
      try await branch.database.async.read { db in
        _ = try db.value(count, as: Int.self)
        throw Refusal()
      }
    case .interruptible:
      // The way of a migrator.
      try branch.database.writeWithoutTransaction { db in
        try Interruption().around(db) { db in
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
  func `a rollback that is interrupted is run again before the connection is used again`(
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
        try db.value("SELECT count(*) FROM book", as: Int.self)
      }
      #expect(count == 1)
    }
  }

  @Test(arguments: Call.allCases)
  func `a connection that cannot be rolled back is closed, and another one opened`(
    _ call: Call
  ) async throws {
    try await withBranch { (branch) async throws in
      let before = branch.connections.count
      let hook = StatementHook("ROLLBACK", on: branch.connections) { sqlite3_interrupt($0) }

      await #expect(throws: (any Error).self) { try await fail(call, in: branch) }

      #expect(hook.runCount >= 2)
      #expect(try branch.lend("Emma"))
      let count = try branch.database.read { db in
        try db.value("SELECT count(*) FROM book", as: Int.self)
      }
      #expect(count == 1)
      #expect(branch.connections.count == before + 1)
    }
  }

  @Test(arguments: [true, false])
  func `a cancellation does not reach a rollback`(isWriting: Bool) async throws {
    try await withBranch { (branch) async throws in
      let database = branch.database
      let task = Mutex<Task<Void, any Error>?>(nil)
      let hook = StatementHook("ROLLBACK", on: branch.connections) { _ in
        task.withLock { $0 }?.cancel()
      }
      let begin = Mailbox<Bool>()

      let made = Task {
        if isWriting {
          try await database.async.write { db in
            try db.execute("INSERT INTO book(title) VALUES ('Ulysses')")
            _ = begin.take()
            throw Refusal()
          }
        } else {
          try await database.async.read { db in
            _ = try db.value("SELECT count(*) FROM book", as: Int.self)
            _ = begin.take()
            throw Refusal()
          }
        }
      }
      task.withLock { $0 = made }
      begin.put(true)
      await #expect(throws: (any Error).self) { try await made.value }

      // Once, so it was not interrupted.
      #expect(hook.runCount == 1)
      #expect(branch.openTransactions == 0)
      #expect(try branch.lend("Emma"))
    }
  }

  // MARK: A savepoint of a transaction that cannot be undone alone

  @Test(arguments: ["ROLLBACK TO undercroft", "RELEASE undercroft"])
  func `a nested write that cannot be undone alone undoes the whole write`(sql: String) async throws
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
    /// The nested write that cannot be rolled back is directly inside the outermost one.
    case inFirst
    /// It is inside another nested write, which fails as well.
    case inSecond
    /// Its savepoint cannot be released, although its closure has returned.
    case atItsEnd
  }

  /// SQLite keeps an interruption for as long as any statement of the connection is active, also for `ROLLBACK TO`.
  @Test(arguments: Interrupted.allCases)
  func `a write is not committed if a part could not be rolled back during an active statement`(
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

  @Test func `no statement runs after a part could not be rolled back`() async throws {
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
          try db.value("SELECT count(*) FROM book", as: Int.self)
        }
        #expect(throws: StorageError.self) { try database.write { _ in } }
      }

      #expect(try branch.other.texts("SELECT title FROM book") == ["Dune"])
    }
  }

  @Test(arguments: [true, false])
  func `observers learn nothing of a transaction that its closure could not roll back`(
    isOneOfSeveral: Bool
  ) async throws {
    try await withBranch { (branch) async throws in
      let database = branch.database
      #expect(try branch.lend("Dune"))
      let told = Told()
      let registration = try database.observe(.table("book"), detail: .rows) { change in
        if change.origin == .application { told.add(change) }
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

      let last = try database.value("SELECT max(id) FROM book", as: Int64.self)
      let expected: [Int64] = isOneOfSeveral ? [2, last] : [last]
      var rows: [Int64?] = []
      for _ in 0..<600_000 where !rows.contains(last) {
        rows += told.take().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }.map(\.rowID)
        if !rows.contains(last) { usleep(1_000) }
      }
      #expect(rows == expected)
      #expect(
        try branch.other.texts("SELECT title FROM book ORDER BY id")
          == ["Dune"] + (isOneOfSeveral ? ["Emma"] : []) + ["Ulysses"])
    }
  }

  // MARK: A transaction that nobody has begun

  @Test(arguments: [true, false])
  func `a transaction that is open before a call begins is not joined by that call`(
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
            try db.value("SELECT count(*) FROM book", as: Int.self)
          }
        }
      }

      #expect(error?.code == .misuse)
      #expect(branch.openTransactions == 0)
      #expect(try branch.lend("Emma"))
      let count = try branch.database.read { db in
        try db.value("SELECT count(*) FROM book", as: Int.self)
      }
      #expect(count == 1)
    }
  }

  @Test func `a transaction that is left open by its call is rolled back, and the call throws`()
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

  @Test func `observers learn nothing of a transaction that ended without a report`() async throws {
    try await withBranch { (branch) async throws in
      #expect(try branch.lend("Dune"))
      let told = Told()
      let registration = try branch.database.observe(.table("book"), detail: .rows) { change in
        if change.origin == .application { told.add(change) }
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
        rows += told.take().flatMap { $0.tables ?? [] }.flatMap { $0.rows ?? [] }.map(\.rowID)
        if rows.isEmpty { usleep(1_000) }
      }
      #expect(rows == [2])
      #expect(try branch.other.texts("SELECT title FROM book ORDER BY id") == ["Dune", "Emma"])
    }
  }

  @Test func `a write nested in a write whose transaction has ended keeps nothing`() async throws {
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
