import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

/// Tests of queries that return a single value.
@Suite struct ConnectionValueTests {
  @Test(.behaviour("A-FM-53")) func `fetchValue returns a single value as the requested type`()
    throws
  {
    let database = try Database.inMemory()
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    try database.read { db in
      try #expect(db.fetchValue("SELECT 1 = 1") == true)
      try #expect(db.fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0)
      try #expect(db.fetchValue("SELECT \(date)") == date)
      try #expect(db.fetchValue("SELECT 'Emma'") == "Emma")
      try #expect(db.fetchValue("SELECT 1.5", as: Double.self) == 1.5)
      try #expect(db.fetchValue("SELECT x'01'") == Data([1]))
    }
  }

  @Test(arguments: ["SELECT 1 WHERE 0", "SELECT NULL"] as [SQL])
  func
    `fetchValue of a missing or NULL value returns nil for an optional type, and otherwise throws`(
      sql: SQL
    ) throws
  {
    let database = try Database.inMemory()
    try database.read { db in
      let number: Int? = try db.fetchValue(sql)
      #expect(number == nil)
      #expect(try db.fetchValue(sql, as: Date?.self) == nil)
      #expect(try db.fetchValue(sql) as String? == nil)
      let error = #expect(throws: StorageError.self) { try db.fetchValue(sql, as: Int.self) }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains("optional") == true)
    }
  }

  @Test
  func `fetchValue accepts SQLValue and optional types, and throws if the value has another type`()
    throws
  {
    let database = try Database.inMemory()
    try database.read { db in
      #expect(try db.fetchValue("SELECT NULL", as: SQLValue.self) == .null)
      #expect(try db.fetchValue("SELECT 7", as: Int?.self) == 7)
      let count = try db.fetchValue("SELECT count(*) FROM sqlite_schema", as: Int.self)
      #expect(count + 1 == 1)
      for sql in ["SELECT 'Emma'", "SELECT 1.5"] as [SQL] {
        let plain = #expect(throws: StorageError.self) { try db.fetchValue(sql, as: Int.self) }
        let optional = #expect(throws: StorageError.self) { try db.fetchValue(sql, as: Int?.self) }
        #expect([plain?.code, optional?.code] == [.decodingFailed, .decodingFailed])
      }
    }
  }
}
