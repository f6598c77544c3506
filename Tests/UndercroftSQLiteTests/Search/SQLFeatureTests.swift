import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLFeatureTests {
  @Test(.behaviour("A-FM-50"))
  func `supports(_:) matches SQLite's compile options and is true for full-text search and JSON`()
    throws
  {
    let database = try Database.inMemory()
    func works(_ sql: SQL) -> Bool {
      (try? database.write { db in try db.fetchAll(sql) { _ in } }) != nil
    }
    try database.read { db in
      for feature in [SQLFeature.fullTextSearch, .json] {
        let isThere = db.supports(feature)
        #expect(isThere, "\(feature)")
      }
      let (knowsMathematics, seesRows) = (db.supports(.mathematics), db.supports(.observedRows))
      #expect(seesRows == SQLiteLibrary.current.has("ENABLE_PREUPDATE_HOOK"))
      #expect(knowsMathematics == SQLiteLibrary.current.has("ENABLE_MATH_FUNCTIONS"))
    }

    #expect(works("SELECT json('[1]')"))
    #expect(works("CREATE VIRTUAL TABLE note USING fts5(text)"))
  }

  @Test func `JSON functions accept interpolated values`() throws {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(facts TEXT)")
      let facts = #"{"title": "Emma", "tags": ["novel", "图书"], "pages": 474}"#
      try db.execute("INSERT INTO book VALUES (json(\(facts)))")
      try db.execute("UPDATE book SET facts = json_set(facts, \("$.shelf"), \("it's \"high\""))")
      #expect(try db.fetchValue("SELECT json_extract(facts, \("$.title")) FROM book") == "Emma")
      #expect(try db.fetchValue("SELECT facts ->> \("$.pages") FROM book") == 474)
      #expect(try db.fetchValue("SELECT facts ->> \("$.shelf") FROM book") == "it's \"high\"")
      let tags = try db.fetchAll("SELECT value FROM book, json_each(facts, \("$.tags"))") { row in
        try row[0] as String
      }
      #expect(tags == ["novel", "图书"])
    }

    let error = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT json(\("{broken"))", as: String.self) }
    }
    #expect(error?.code == .misuse)
  }

  @Test
  func `the error for a missing function or virtual table module states the cause`() throws {
    let database = try Database.inMemory()
    let function = #expect(throws: StorageError.self) {
      try database.read { db in try db.fetchValue("SELECT jsonish('[]')", as: String.self) }
    }
    #expect(function?.message.contains("no such function: jsonish") == true)
    let module = #expect(throws: StorageError.self) {
      try database.write { db in try db.execute("CREATE VIRTUAL TABLE book USING fts9(title)") }
    }
    #expect(module?.message.contains("supports") == true)
  }
}
