import UndercroftCore
import UndercroftFoundation
public import UndercroftSQLite

extension Database {
  /// Runs `body` in one transaction of this database and one transaction of another database.
  ///
  /// If `body` throws, both transactions are rolled back.
  ///
  /// ```swift
  /// try catalogue.write(with: archive) { db, archive in
  ///   try loan.insert(in: archive)
  ///   try loan.delete(in: db)
  /// }
  /// ```
  ///
  /// Two files have no common commit. The transaction of the other database is committed first, and
  /// the transaction of this database immediately afterwards. If the commit of the other database
  /// fails, if SQLite has rolled back the transaction of this database, or if this database has an
  /// unresolved foreign key, both transactions are rolled back. If the process dies between the two
  /// commits, or the disk is full or fails, only the other database has the changes. Therefore move
  /// rows from this database to the other database, and not in the opposite direction: after such a
  /// failure, the rows exist in both databases, and no row is lost.
  ///
  /// Use the same order of databases everywhere. Two threads that use opposite orders can wait for
  /// each other until one of them fails with ``StorageError/Code/locked``. If one of the databases
  /// is already in a write, its transaction is a savepoint of that write, and is committed with
  /// that write.
  @discardableResult
  public func write<Result>(
    with other: Database,
    _ body: (Connection, Connection) throws -> Result
  ) throws -> Result {
    try write { db in
      // The value can be `true` only inside another write, which can still resolve the foreign keys
      // before it commits.
      let wasUnresolved = db.hasUnresolvedForeignKeys
      return try other.write { otherDB in
        let result = try body(db, otherDB)
        // A transaction that was rolled back, or an unresolved foreign key, would make the second
        // commit fail. Both are therefore checked before the first commit.
        try db.requireCommittable()
        if !wasUnresolved, db.hasUnresolvedForeignKeys {
          let names = [self, other].map { database in
            database.location.map { quoted($0.path) } ?? "an in-memory database"
          }
          throw StorageError.table(
            """
            cannot commit a write to \(names[0]) and \(names[1]): a row of the first of these \
            databases violates a foreign key
            """,
            suggestion: """
              find the row with foreignKeyCheck() of the first connection that the closure \
              receives, and insert the referenced row or delete the referring row before the \
              closure returns
              """,
            as: .constraintViolated)
        }
        return result
      }
    }
  }
}
