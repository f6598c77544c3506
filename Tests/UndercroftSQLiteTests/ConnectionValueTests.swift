import BehaviourTrait
import Foundation
import Testing
import UndercroftCore
import UndercroftSQLite

/// One value alone.
@Suite struct ConnectionValueTests {
  @Test(.behaviour("A-FM-53")) func `a single value is fetched as its type`() throws {
    let database = try Database.inMemory()
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    try database.read { (db: borrowing Connection) throws in
      #expect(try db.value("SELECT 1 = 1") == true)
      #expect(try db.value("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0)
      #expect(try db.value("SELECT \(date)") == date)
      #expect(try db.value("SELECT 'Emma'") == "Emma")
      #expect(try db.value("SELECT 1.5", as: Double.self) == 1.5)
      #expect(try db.value("SELECT x'01'") == Data([1]))
    }
  }

  @Test(arguments: ["SELECT 1 WHERE 0", "SELECT NULL"] as [SQL])
  func `no row and NULL are nil where an optional is asked for, and else an error`(sql: SQL) throws
  {
    let database = try Database.inMemory()
    try database.read { (db: borrowing Connection) throws in
      let number: Int? = try db.value(sql)
      #expect(number == nil)
      #expect(try db.value(sql, as: Date?.self) == nil)
      #expect(try db.value(sql) as String? == nil)
      let error = #expect(throws: StorageError.self) { try db.value(sql, as: Int.self) }
      #expect(error?.code == .decodingFailed)
      #expect(error?.message.contains("optional") == true)
    }
  }

  @Test func `whatever a value holds can be asked for`() throws {
    let database = try Database.inMemory()
    try database.read { (db: borrowing Connection) throws in
      #expect(try db.value("SELECT NULL", as: SQLValue.self) == .null)
      #expect(try db.value("SELECT 7", as: Int?.self) == 7)
      let count = try db.value("SELECT count(*) FROM sqlite_schema", as: Int.self)
      #expect(count + 1 == 1)
      for sql in ["SELECT 'Emma'", "SELECT 1.5"] as [SQL] {
        let plain = #expect(throws: StorageError.self) { try db.value(sql, as: Int.self) }
        let optional = #expect(throws: StorageError.self) { try db.value(sql, as: Int?.self) }
        #expect([plain?.code, optional?.code] == [.decodingFailed, .decodingFailed])
      }
    }
  }
}
