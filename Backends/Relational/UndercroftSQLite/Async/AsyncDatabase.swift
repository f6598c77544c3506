import UndercroftCore

/// The asynchronous calls of a database.
///
/// Each call runs its synchronous counterpart on a thread that is allowed to block, and not on the
/// caller's executor. Asynchronous calls wait for each other in the order in which they were made,
/// without a time limit and without blocking a thread. Asynchronous calls wait for synchronous
/// calls and for other processes as synchronous calls do, up to ``DatabaseOptions/lockTimeout``.
///
/// If the task is cancelled while a call waits, the call stops waiting within milliseconds. If the
/// task is cancelled while a call runs, the call interrupts the current statement, and rolls back
/// the open transaction. In both cases, the call throws `CancellationError`. A write that was
/// already committed is not undone.
public struct AsyncDatabase: Sendable {
  let database: Database

  /// Runs `body` as ``Database/read(_:)`` does, without blocking the caller's executor.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly(database.asyncReads) { database, interruption in
      try database.reading(interruption: interruption) { db in
        try interruption.interrupting(db) { db in
          try db.transaction { db in try interruption.finishing { try body(db) } }
        }
      }
    }
  }

  /// Runs `body` as ``Database/write(lock:from:_:)`` does, without blocking the caller's executor.
  @discardableResult
  public func write<Result: Sendable>(
    lock: TransactionLock = .immediate, from origin: Database.Origin = .application,
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly(database.asyncWrites) { database, interruption in
      try database.writing(from: origin, interruption: interruption) { db in
        try interruption.interrupting(db) { db in
          try db.transaction(lock: lock) { db in try interruption.finishing { try body(db) } }
        }
      }
    }
  }

  /// Runs `body` as ``Database/writeWithoutTransaction(from:_:)`` does, without blocking the
  /// caller's executor.
  ///
  /// The changes of statements that have ended before the task is cancelled are not undone.
  @discardableResult
  public func writeWithoutTransaction<Result: Sendable>(
    from origin: Database.Origin = .application,
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await interruptibly(database.asyncWrites) { database, interruption in
      try database.writeWithoutTransaction(from: origin, interruption: interruption) { db in
        try interruption.interrupting(db, body)
      }
    }
  }

  /// Runs `work` on a thread that is allowed to block, while the calling task holds `semaphore`.
  ///
  /// If the task is cancelled, this function calls `cancel()` of the ``Interruption`` that `work`
  /// receives, which interrupts the statements of `work`. If `work` then throws, this function
  /// throws `CancellationError` instead.
  func interruptibly<Result: Sendable>(
    _ semaphore: AsyncSemaphore,
    _ work: @escaping @Sendable (Database, Interruption) throws -> Result
  ) async throws -> Result {
    let (database, interruption) = (database, Interruption())
    return try await withTaskCancellationHandler {
      do {
        try Task.checkCancellation()
        return try await semaphore.withPermit {
          try await blocking { try work(database, interruption) }
        }
      } catch  where interruption.isCancelled {
        throw CancellationError()
      }
    } onCancel: {
      interruption.cancel()
    }
  }
}

extension Database {
  /// The asynchronous calls of this database: `try await database.async.read { db in … }`.
  public var async: AsyncDatabase { AsyncDatabase(database: self) }
}
