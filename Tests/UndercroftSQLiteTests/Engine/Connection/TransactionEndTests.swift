import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of a `ROLLBACK` that fails, and of transactions that begin or end directly in SQLite.
@Suite struct TransactionEndTests {
  private struct Refusal: Error {}

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
