import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct DatabaseOptionsTests {
  private struct Refusal: Error {}

  @Test func `the set-up closure runs once on every connection that is opened`() throws {
    try withTemporaryDirectory { directory in
      let count = Mutex(0)
      var options = DatabaseOptions()
      options.setUp = { db in
        count.withLock { $0 += 1 }
        _ = try db.fetchAll("SELECT 1") { _ in 1 }
      }
      let database = try Database(at: directory.appending(path: "library.sqlite"), options)
      #expect(count.withLock { $0 } == 1)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      for _ in 0..<3 { try database.read { db in _ = try db.fetchAll("SELECT 1") { _ in 1 } } }
      #expect(count.withLock { $0 } == 2)
    }
    let inMemory = Mutex(0)
    let database = try Database.inMemory(.init(setUp: { _ in inMemory.withLock { $0 += 1 } }))
    try database.read { _ in }

    #expect(inMemory.withLock { $0 } == 1)
  }

  @Test
  func `a database whose set-up closure throws cannot be opened, and the error names the database`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let error = #expect(throws: StorageError.self) {
        _ = try Database(at: url, .init(setUp: { _ in throw Refusal() }))
      }
      #expect(error?.underlying is Refusal)
      #expect(error?.message.contains("library.sqlite") == true)
      let inMemory = #expect(throws: StorageError.self) {
        _ = try Database.inMemory(.init(setUp: { db in try db.execute("nonsense") }))
      }
      #expect(inMemory?.code == .misuse)
      #expect(inMemory?.message.contains(":memory:") == true)
    }
  }

  @Test func `the first read throws if the set-up closure writes, because readers are read-only`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let database = try Database(
        at: url,
        .init(setUp: { db in try db.execute("CREATE TABLE IF NOT EXISTS book(title TEXT)") }))
      try database.write { db in try db.execute("INSERT INTO book VALUES ('Emma')") }

      let error = #expect(throws: StorageError.self) { try database.read { _ in } }
      #expect(error?.code == .misuse)
      #expect(error?.message.contains("library.sqlite") == true)
    }
  }

  @Test func `the initialiser of DatabaseOptions accepts every option at once`() throws {
    let count = Mutex(0)
    let options = DatabaseOptions(
      durability: .powerLoss, lockTimeout: .seconds(1), readerCount: 2, isReadOnly: false,
      attachments: [], setUp: { _ in }, pageCacheByteCount: 1_048_576,
      maximumValueByteCount: 1_000_000,
      observesRows: false, showsArguments: true,
      tracer: StatementTracer { _ in count.withLock { $0 += 1 } }, planCheck: { _ in })
    let database = try Database.inMemory(options)
    let cache = try database.read { db in try db.fetchValue("PRAGMA cache_size", as: Int.self) }

    #expect(cache == -1_024)
    let error = #expect(throws: StorageError.self) {
      try database.read { db in
        try db.fetchValue("SELECT \(String(repeating: "e", count: 1_000_001))", as: String.self)
      }
    }
    #expect(error?.code == .tooLarge)
    #expect(count.withLock { $0 } > 0)
  }

  @Test(arguments: [-1, 0, 1, 100])
  func `the maximum value size does not prevent reading a schema that another connection created`(
    limit: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library.sqlite")
      let other = try Database(at: url)
      let columns = (0..<500).map { "a_column_with_a_long_name_\($0) INTEGER" }
      let table = "(" + columns.joined(separator: ", ") + ")"
      try other.execute(SQL(unchecked: "CREATE TABLE book" + table))
      let database = try Database(at: url, .init(maximumValueByteCount: limit))
      #expect(try Library.count(database) == 0)

      try other.execute(SQL(unchecked: "CREATE TABLE loan" + table))
      #expect(try Library.count(database) == 0)

      let long = "CREATE VIEW shelf AS SELECT '\(String(repeating: "e", count: 2_000_000))'"
      try other.execute(SQL(unchecked: long))
      let third = try Database(at: url, .init(maximumValueByteCount: limit))
      #expect(try Library.count(third) == 0)
      let tooLong = #expect(throws: StorageError.self) {
        try third.read { db in
          try db.fetchValue("SELECT \(String(repeating: "e", count: 5_000_000))", as: String.self)
        }
      }
      #expect(tooLong?.code == .tooLarge)
    }
  }
}
