import UndercroftCore
public import UndercroftSQLite

extension Database {
  /// Runs `body` in one transaction of this database and one of another: what it throws undoes both.
  ///
  /// ```swift
  /// try catalogue.write(with: archive) { db, archive in
  ///   try Loan.table.insert(loan, in: archive)
  ///   try Loan.table.delete(loan, in: db)
  /// }
  /// ```
  ///
  /// Two files have no common commit. The other one's transaction is committed first, and this one's at once after it: should the
  /// other fail to commit, or this one have a foreign key without its row, neither is kept. Only if the process dies, or the disk is full or fails,
  /// between the two commits is the other one's part kept and this one's not. So write first, to the other, what may be there
  /// twice, and remove from this one what must not be lost.
  ///
  /// Name two databases in the same order everywhere: two threads that do not may wait for each other until one gives up
  /// (``StorageError/Code/locked``). Inside a write of either, this is a part of that, and is kept when that is.
  @discardableResult
  public func write<Result>(
    with other: Database,
    _ body: (borrowing Connection, borrowing Connection) throws -> Result
  ) throws -> Result {
    try write { db in
      // Only within another write, which has until its own end to resolve them.
      let wasUnresolved = db.hasUnresolvedForeignKeys
      return try other.write { otherDB in
        let result = try body(db, otherDB)
        // What could refuse this commit is asked before the other one is done.
        if !wasUnresolved, db.hasUnresolvedForeignKeys {
          throw StorageError(
            .constraintViolated,
            "cannot write to two databases: a foreign key of the first has no row to refer to",
            cure: "write the row that it refers to", backend: "sqlite")
        }
        return result
      }
    }
  }
}
