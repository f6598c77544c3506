import CSQLite
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of savepoints that SQLite refuses to release or cannot roll back.
@Suite struct SavepointEndTests {
  private struct Refusal: Error {}

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
}
