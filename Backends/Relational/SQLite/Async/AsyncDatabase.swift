import UndercroftCore

/// The database's calls off the caller's executor; each runs the synchronous one on a thread that may block.
///
/// A task that is cancelled interrupts its statement: what it wrote is rolled back, and the call throws `CancellationError`.
public struct AsyncDatabase: Sendable {
  let database: Database

  /// As ``Database/read(_:)``.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly { database, interruption in
      try database.read { db in try interruption.around(db, body) }
    }
  }

  /// As ``Database/write(_:from:_:)``.
  @discardableResult
  public func write<Result: Sendable>(
    _ lock: TransactionLock = .immediate, from origin: Origin = .application,
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly { database, interruption in
      try database.write(lock, from: origin) { db in try interruption.around(db, body) }
    }
  }

  /// As ``Database/writeWithoutTransaction(from:_:)``.
  @discardableResult
  public func writeWithoutTransaction<Result: Sendable>(
    from origin: Origin = .application,
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly { database, interruption in
      try database.writeWithoutTransaction(from: origin) { db in try interruption.around(db, body) }
    }
  }

  func interruptibly<Result: Sendable>(
    _ work: @escaping @Sendable (Database, Interruption) throws -> Result
  ) async throws -> Result {
    let (database, interruption) = (database, Interruption())
    return try await withTaskCancellationHandler {
      do {
        try Task.checkCancellation()
        return try await blocking { try work(database, interruption) }
      } catch  where interruption.isCancelled {
        throw CancellationError()
      }
    } onCancel: {
      interruption.cancel()
    }
  }
}

extension Database {
  /// The same calls off the caller's executor: `try await database.async.read { db in … }`.
  public var async: AsyncDatabase { AsyncDatabase(database: self) }
}
