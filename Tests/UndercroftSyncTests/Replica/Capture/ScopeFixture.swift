import UndercroftSQLite
import UndercroftSync

/// Databases in memory, whose tables tests add to a scope.
enum ScopeFixture {
  /// Returns a database in memory with the tables of a script.
  static func database(_ script: String) throws -> Database {
    let database = try Database.inMemory()
    try database.write { db in _ = try db.executeScript(SQL(unchecked: script)) }
    return database
  }

  /// Adds tables to the scope `shelf` of the account `ada`, or to another scope.
  static func add(
    _ tables: [SyncedTable], to scope: ScopeIdentifier = "shelf", account: String = "ada",
    in database: Database, batchSize: Int = 5_000
  ) throws {
    try SyncSchema.add(
      tables, toScope: scope, account: account, in: database, batchSize: batchSize)
  }
}
