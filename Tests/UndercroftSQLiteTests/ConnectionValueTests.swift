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
      #expect(try db.value("SELECT 1.5") == 1.5)
      #expect(try db.value("SELECT x'01'") == Data([1]))
    }
  }

  @Test func `no row and NULL are nil, another type is an error`() throws {
    let database = try Database.inMemory()
    try database.read { (db: borrowing Connection) throws in
      #expect(try db.value("SELECT 1 WHERE 0", as: Int.self) == nil)
      #expect(try db.value("SELECT NULL", as: Int.self) == nil)
      let error = #expect(throws: StorageError.self) {
        try db.value("SELECT 'Emma'", as: Int.self)
      }
      #expect(error?.code == .decodingFailed)
    }
  }
}
