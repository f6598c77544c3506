import CSQLite
import UndercroftCore

extension Connection {
  /// Whether a transaction is open on this connection. (`sqlite3_get_autocommit`)
  public var isInTransaction: Bool { stateIfValid?.isInTransaction ?? false }

  /// Runs `body` in a transaction, or in a savepoint if a transaction is already open.
  ///
  /// If `body` throws, only the changes that `body` made are undone. Earlier changes of a
  /// surrounding transaction remain.
  ///
  /// - Throws: any error that `body` throws, unchanged; ``StorageError/Code/locked`` if another
  ///   process holds the lock until the lock timeout.
  @discardableResult
  public func transaction<Result>(
    lock: TransactionLock = .immediate, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let scope = try TransactionScope(beginning: lock, on: self)
    do {
      let result = try body(self)
      try scope.commit()
      return result
    } catch {
      scope.rollBack()
      throw error
    }
  }

  /// Runs `body` in an immediate transaction, as ``transaction(lock:_:)`` does, for a `body` that
  /// throws only ``StorageError``.
  func storageTransaction<Result>(
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let scope = try TransactionScope(beginning: .immediate, on: self)
    do throws(StorageError) {
      let result = try body(self)
      try scope.commit()
      return result
    } catch {
      scope.rollBack()
      throw error
    }
  }

  /// Returns the error for a transaction that SQLite has rolled back by itself.
  ///
  /// - Parameter database: the database for the error message; see
  ///   ``DatabaseFile/name(of:)``.
  static func endedBefore(on database: String) -> StorageError {
    .sqliteMisuse(
      """
      cannot continue the transaction on \(database): SQLite ended the transaction before its \
      closure returned, and rolled back its changes
      """,
      suggestion: """
        let the closure of the transaction rethrow the errors of its statements, and repeat the \
        transaction
        """)
  }

  static func openBefore(on database: String) -> StorageError {
    .sqliteMisuse(
      """
      cannot begin a transaction on \(database): another transaction, which Undercroft did not \
      begin, is open on this connection
      """,
      suggestion: """
        let the closure of the read or write return, which rolls back the open transaction, and \
        repeat the read or write
        """)
  }

  static func leftOpen(on database: String) -> StorageError {
    .sqliteMisuse(
      """
      cannot complete the read or write of \(database): its closure left a transaction open, \
      which Undercroft rolls back
      """,
      suggestion: "begin transactions with write { db in … } or db.transaction { db in … }")
  }
}
