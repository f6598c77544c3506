import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct SQLiteErrorCodeTests {
  @Test
  func
    `a primary error code matches its extended codes, and an extended code matches itself alone`()
  {
    let code = SQLiteError.Code(rawValue: 2067)

    #expect(code == .constraintUnique)
    #expect(code.primary == .constraint)
    #expect(code.primary.rawValue == 19)
    #expect(SQLiteError.Code.constraint ~= code)
    #expect(SQLiteError.Code.constraintUnique ~= code)
    #expect(!(SQLiteError.Code.constraintCheck ~= code))
    #expect(!(SQLiteError.Code.constraintUnique ~= SQLiteError.Code.constraint))
    #expect(code != .constraint)
    #expect("\(code)" == "2067")
  }

  @Test
  func
    `a catch clause with a SQLite error code catches a StorageError caused by that SQLite error`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in try db.execute("CREATE TABLE book(title TEXT UNIQUE NOT NULL)") }
    var caught: [String] = []

    for title in ["Dune", "Dune", nil] {
      do {
        try database.write { db in try db.execute("INSERT INTO book VALUES (\(title))") }
      } catch SQLiteError.Code.constraintUnique {
        caught.append("unique")
      } catch SQLiteError.Code.constraint {
        caught.append("constraint")
      }
    }

    #expect(caught == ["unique", "constraint"])
  }

  @Test func `SQLiteError(causeOf:) finds the SQLite error in a chain of wrapping errors`() throws {
    let database = try Database.inMemory()
    let error = #expect(throws: StorageError.self) {
      try database.read { db in _ = try db.fetchAll("SELECT * FROM loan") { _ in } }
    }
    let outer = StorageError(.io, "cannot lend", underlying: error)

    #expect(SQLiteError(causeOf: outer)?.code == .error)
    #expect(outer.sqliteError?.message == "no such table: loan")
    #expect(SQLiteError(causeOf: StorageError(.io, "cannot lend")) == nil)
  }
}
