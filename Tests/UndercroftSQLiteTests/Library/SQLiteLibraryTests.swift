import BehaviourTrait
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
}
