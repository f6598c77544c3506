import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of reading entries and rows of a database one by one.
@Suite struct DatabaseStreamingTests {
  private static func open(_ url: URL) throws -> any TableInspectable {
    try #require(try StoreInspectorFactory.sqlite.open(url, .init()) as? any TableInspectable)
  }

  private static func keyed(at url: URL, count: Int) throws -> SQLiteBackend {
    let backend = try SQLiteBackend(at: url)
    try backend.apply(
      (1...count).map { .set("loan/\($0)", Data("Dune \($0)".utf8)) } + [.set("reader", Data())])
    return backend
  }

  @Test func `each value with a prefix is passed with its name`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      _ = try Self.keyed(at: url, count: 3_000)
      let store = try Self.open(url)
      var values: [ExactString: Data] = [:]

      try store.forEachValue(withPrefix: "loan/") { name, bytes in
        values[ExactString(name)] = bytes
        return true
      }

      #expect(values.count == 3_000)
      #expect(values["loan/2999"] == Data("Dune 2999".utf8))
    }
  }

  @Test(arguments: [false, true])
  func `a closure that receives an entry can read the value of the entry`(isLocked: Bool) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let backend = try Self.keyed(at: url, count: 5_000)
      let locked = try #require(StoreInspectorFactory.sqlite.openLocked)
      let store: any Inspectable = isLocked ? try locked(url, .init()) : try Self.open(url)
      var count = 0

      try store.forEachEntry(withPrefix: "loan/") { entry in
        let bytes = try store.bytes(of: entry.name)
        if bytes?.starts(with: Data("Dune ".utf8)) == true { count += 1 }
        return true
      }

      #expect(count == 5_000)
      withExtendedLifetime(backend) {}
    }
  }

  @Test func `a write after the first values were passed ends the pass with the code busy`() throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let backend = try Self.keyed(at: url, count: 10_000)
      let store = try Self.open(url)
      var count = 0

      let error = #expect(throws: StorageError.self) {
        try store.forEachValue(withPrefix: "") { _, _ in
          count += 1
          if count == 5_000 {
            // A checkpoint overwrites pages that the pass has not read yet.
            try backend.apply((1...10_000).map { .set("loan/\($0)", Data("Emma".utf8)) })
            try Database(at: url).checkpoint(.truncate)
          }
          return true
        }
      }

      #expect(error?.code == .busy)
      #expect((5_000...10_001).contains(count))
    }
  }

  @Test func `the names of the tables of a database are passed with their definitions`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      let database = try Database(at: url)
      try database.write { db in try db.execute("CREATE TABLE book(title TEXT)") }
      let store = try Self.open(url)
      var passed: [String] = []

      try store.forEachEntry(withPrefix: "") { entry in
        passed.append(entry.name)
        return true
      }
      try store.forEachValue(withPrefix: "") { _, bytes in
        passed.append(String(decoding: bytes, as: UTF8.self))
        return true
      }

      #expect(passed == ["book", "CREATE TABLE book(title TEXT)"])
      try database.close()
    }
  }

  /// Overwrites the last page of a file with pages of 512 bytes.
  private static func damageLastPage(of url: URL) throws {
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange((bytes.count - 512)..., with: Data(repeating: 0xff, count: 512))
    try bytes.write(to: url)
  }

  private static func damagedTable(at url: URL) throws -> any TableInspectable {
    try OtherProgram(url).run(
      """
      PRAGMA page_size = 512; CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO book SELECT i, 'The volume ' || i FROM n;
      """)
    try damageLastPage(of: url)
    return try open(url)
  }

  @Test func `the rows before the damage of a table are passed before the error is thrown`() throws
  {
    try withTemporaryDirectory { directory in
      let store = try Self.damagedTable(at: directory.appending(path: "library"))
      var (columns, rows): ([String], [[InspectedValue]]) = ([], [])

      let error = #expect(throws: StorageError.self) {
        try store.forEachRow(of: "book", offset: 0, columns: { columns = $0 }) { row in
          rows.append(row)
          return true
        }
      }

      #expect(error?.code == .corrupted)
      #expect(columns == ["id", "title"])
      #expect((100..<300).contains(rows.count))
      #expect(rows.first == [.integer(1), .text("The volume 1")])
    }
  }

  @Test func `a pass that ends before the damage of a table throws no error`() throws {
    try withTemporaryDirectory { directory in
      let store = try Self.damagedTable(at: directory.appending(path: "library"))
      var count = 0

      try store.forEachRow(of: "book", offset: 0, columns: { _ in }) { _ in
        count += 1
        return count < 3
      }

      #expect(count == 3)
    }
  }

  @Test func `the entries before the damage are passed before the error is thrown`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      try OtherProgram(url).run(
        """
        PRAGMA page_size = 512;
        CREATE TABLE undercroft_entry(
          name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO undercroft_entry SELECT 'loan/' || i, x'00' FROM n;
        """)
      try Self.damageLastPage(of: url)
      let store = try Self.open(url)
      var names: [String] = []

      let error = #expect(throws: StorageError.self) {
        try store.forEachEntry(withPrefix: "") { entry in
          names.append(entry.name)
          return true
        }
      }

      #expect(error?.code == .corrupted)
      #expect(names.first == "loan/100")
      #expect((50..<201).contains(names.count))
    }
  }

  @Test func `an error of the closure ends the pass and is thrown unchanged`() throws {
    struct Stopped: Error {}
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "library")
      _ = try Self.keyed(at: url, count: 10)
      let store = try Self.open(url)
      var count = 0

      #expect(throws: Stopped.self) {
        try store.forEachValue(withPrefix: "") { _, _ in
          count += 1
          throw Stopped()
        }
      }

      #expect(count == 1)
    }
  }
}
