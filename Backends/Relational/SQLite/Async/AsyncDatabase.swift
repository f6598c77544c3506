import UndercroftCore

/// The database's calls off the caller's executor; each runs the synchronous one on a thread that may block.
///
/// Calls wait for each other in the order in which they were made, for as long as it takes and without holding a thread; for
/// synchronous calls and for other processes they wait as those do, up to ``DatabaseOptions/lockTimeout``. If its task is cancelled, a
/// call stops waiting within milliseconds, or interrupts its statement: what it wrote is rolled back, and the call throws `CancellationError`.
/// Only a write that was committed already is not undone.
public struct AsyncDatabase: Sendable {
  let database: Database

  /// As ``Database/read(_:)``.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly(database.asyncReads) { database, interruption in
      try database.reading(interruption: interruption, orThrow: { $0 as any Error }) { db in
        try interruption.around(db) { db in
          try db.transaction { db in try interruption.finishing { try body(db) } }
        }
      }
    }
  }

  /// As ``Database/write(_:from:_:)``.
  @discardableResult
  public func write<Result: Sendable>(
    _ lock: TransactionLock = .immediate, from origin: Origin = .application,
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly(database.asyncWrites) { database, interruption in
      try database.writing(
        from: origin, interruption: interruption, orThrow: { $0 as any Error }
      ) { db in
        try interruption.around(db) { db in
          try db.transaction(lock) { db in try interruption.finishing { try body(db) } }
        }
      }
    }
  }

  /// As ``Database/writeWithoutTransaction(from:_:)``; each statement that has ended when the task is cancelled stays.
  @discardableResult
  public func writeWithoutTransaction<Result: Sendable>(
    from origin: Origin = .application,
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly(database.asyncWrites) { database, interruption in
      try database.writeWithoutTransaction(from: origin, interruption: interruption) { db in
        try interruption.around(db, body)
      }
    }
  }

  /// Runs `work` in its turn.
  func interruptibly<Result: Sendable>(
    _ turns: AsyncTurns, _ work: @escaping @Sendable (Database, Interruption) throws -> Result
  ) async throws -> Result {
    let (database, interruption) = (database, Interruption())
    return try await withTaskCancellationHandler {
      do {
        try Task.checkCancellation()
        return try await turns.take { try await blocking { try work(database, interruption) } }
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
