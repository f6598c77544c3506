import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct SyncSchemaTests {
  @Test func `creating the synchronisation tables twice leaves the tables unchanged`() throws {
    let database = try Database.inMemory()
    try database.write { db in try SyncSchema.create(in: db) }
    let before = try database.read { db in try db.schema() }

    try database.write { db in try SyncSchema.create(in: db) }

    #expect(try database.read { db in try db.schema() } == before)
    #expect(try database.fetchValue("SELECT format FROM sync_clock") == 2)
    #expect(try database.read { db in try SyncSchema.exists(in: db) })
  }

  @Test
  func
    `creating the synchronisation tables throws if the database contains them in a newer format`()
    throws
  {
    let database = try Database.inMemory()
    try database.write { db in
      try SyncSchema.create(in: db)
      try db.execute("UPDATE sync_clock SET format = 3")
    }

    #expect {
      try database.write { db in try SyncSchema.create(in: db) }
    } throws: { error in
      StorageError.Code.notSupported ~= error
    }
  }
}
