import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct InterruptionTests {
  @Test(arguments: 1...3)
  func `an interruption requested before a statement rolls back the whole transaction`(
    statement: Int
  ) throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE book(title TEXT)")
    let interruption = Interruption(before: statement)

    let error = #expect(throws: StorageError.self) {
      try database.writeWithoutTransaction { db in
        try interruption.interrupting(db) { _ in
          try database.write { db in
            for title in ["Dune", "Emma", "Ulysses"] {
              try db.execute("INSERT INTO book VALUES (\(title))")
            }
          }
        }
      }
    }

    #expect(error?.code == .interrupted)
    #expect(try database.fetchValue("SELECT count(*) FROM book") == 0)
  }

  @Test func `an interruption requested after the last statement has no effect`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE book(title TEXT)")
    let interruption = Interruption(before: 2)

    try database.writeWithoutTransaction { db in
      try interruption.interrupting(db) { _ in
        try database.write { db in try db.execute("INSERT INTO book VALUES ('Dune')") }
      }
    }

    #expect(!interruption.isCancelled)
    #expect(try database.fetchValue("SELECT count(*) FROM book") == 1)
  }
}
