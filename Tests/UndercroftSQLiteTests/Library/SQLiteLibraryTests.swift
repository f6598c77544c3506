import BehaviourTrait
import Foundation
import TestSupport
import Testing
import UndercroftSQLite

@Suite struct SQLiteLibraryTests {
  @Test(.behaviour("A-FM-50"))
  func `SQLite library versions are compared numerically`() {
    let sorted = [
      SQLiteVersion(2, 99, 99), .init(3), .init(3, 0, 1), .init(3, 9), .init(3, 40, 1),
      .init(3, 40, 10), .init(4),
    ]

    #expect(sorted.shuffled().sorted() == sorted)
    #expect(SQLiteVersion(3, 40) == SQLiteVersion(3, 40, 0))
    #expect("\(SQLiteVersion(3, 40, 1))" == "3.40.1")
  }

  @Test(.behaviour("A-FM-50"))
  func `the SQLite library reports its version, threading mode and compile options`() throws {
    let library = SQLiteLibrary.current
    let reported = try Database.inMemory().read { db in
      try db.fetchOne("SELECT sqlite_version(), sqlite_source_id()") { row in
        [try row[0] as String, try row[1] as String]
      }
    }
    #expect(reported == ["\(library.version)", library.sourceID])
    #expect(library.version >= SQLiteVersion(3, 34))
    #expect(library.threading != .none)
    #expect(!library.compileOptions.isEmpty)

    for option in library.compileOptions { #expect(library.has(option)) }
    #expect(!library.has("ENABLE_TIME_TRAVEL"))
  }

  #if os(Linux)
    // The condition is evaluated before any test can initialise SQLite, which makes the setting
    // ineffective.
    @Test(.enabled(if: SQLiteLibrary.configuration == 0))
    func `an UPDATE statement that changes 25 pages needs no temporary file`() throws {
      // Other tests can have temporary files at the same time, but not at each attempt.
      let isWithoutFile = try (1...50).contains { _ in
        try Self.temporaryFiles(afterChanging: 80).isEmpty
      }

      #expect(isWithoutFile)
    }

    @Test func `an UPDATE statement that changes hundreds of pages uses a temporary file`()
      throws
    {
      #expect(try !Self.temporaryFiles(afterChanging: 2_000).isEmpty)
    }

    /// Returns the open temporary files of SQLite in this process, in a transaction that has
    /// changed a number of rows with one statement, which can fail after it has changed some rows.
    private static func temporaryFiles(afterChanging count: Int) throws -> [String] {
      try withTemporaryDirectory { folder in
        let database = try Database(at: folder.appending(path: "library.sqlite"))
        try database.execute(
          "CREATE TABLE loan(id INTEGER PRIMARY KEY, member INTEGER UNIQUE, note)")
        try database.execute(
          """
          WITH RECURSIVE number(n) AS (
            SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
          INSERT INTO loan SELECT n, n, zeroblob(1000) FROM number
          """)
        let files = try database.write { db in
          try db.execute("UPDATE loan SET member = -member")
          return try temporaryFiles()
        }
        #expect(try database.fetchValue("SELECT count(*) FROM loan WHERE member < 0") == count)
        try database.close()
        return files
      }
    }

    /// Returns the open temporary files of SQLite in this process.
    private static func temporaryFiles() throws -> [String] {
      let descriptors = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
      }.filter { $0.contains("etilqs_") }
    }
  #endif
}
