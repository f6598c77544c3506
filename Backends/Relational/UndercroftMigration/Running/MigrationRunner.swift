import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftSQLite

/// A runner that performs one migration of one database
/// in consecutive transactions, until no step remains.
///
/// Each transaction reads the state of the file first. So if several processes migrate a file, only
/// one of them runs each step. If a process is killed, the migration continues in another process,
/// or when the file is opened again.
struct MigrationRunner {
  let migrator: Migrator
  let database: Database
  /// The version to migrate to, or `nil` for the newest version.
  let target: String?

  /// The next step of a migration, according to the state that one transaction has read.
  struct NextStep {
    let transition: MigrationPlan.Transition
    /// The state of the file when the transaction began.
    let state: MigrationState
    /// The snapshot of the database before the first step, or `nil` if there is none.
    let snapshot: MigrationSnapshot?
    let isLast: Bool
  }

  /// The result of one transaction that is committed.
  enum TransactionResult {
    /// The migration is complete, and no step remains.
    case finished
    /// A step is committed; `hasMore` is `true` if another step follows.
    case ranStep(NextStep, hasMore: Bool)
    /// A slice of a step is committed. Another slice or the step itself follows.
    case ranSlice(NextStep)
  }

  /// Runs all transactions of the migration.
  ///
  /// - Returns: the snapshot of the database before the first step, or `nil` if there is none.
  /// - Throws: a ``MigrationFailure`` if a step or a check failed.
  ///   All other errors are thrown unchanged.
  func run() throws -> MigrationSnapshot? {
    var snapshot: MigrationSnapshot?
    // A step with slices runs in several transactions and is reported once.
    var slicedVersion: String?
    do {
      while true {
        switch try runNextTransaction(afterSliceOf: slicedVersion) {
        case .finished: return snapshot
        case .ranSlice(let step): (snapshot, slicedVersion) = (step.snapshot, step.transition.to)
        case .ranStep(let step, let hasMore):
          snapshot = step.snapshot
          try report(.didRun(step.transition))
          if !hasMore { return snapshot }
        }
      }
    } catch let interruption as MigrationInterruption {
      throw interruption.cause
    } catch {
      throw migrator.isCancelled ? CancellationError() : error
    }
  }

  /// Reports an event to the event handler, and wraps the error that the handler throws in a
  /// ``MigrationInterruption``.
  func report(_ event: MigrationEvent) throws(MigrationInterruption) {
    do {
      try migrator.report(event)
    } catch {
      throw MigrationInterruption(cause: error)
    }
  }

  /// Runs the next transaction, after waiting for the transactions of other processes.
  ///
  /// - Parameter version: the version of the step of which the previous transaction ran a slice, or
  ///   `nil` if the previous transaction ran no slice. The beginning of this step is not reported
  ///   again.
  private func runNextTransaction(afterSliceOf version: String?) throws -> TransactionResult {
    let deadline = ContinuousClock.now + migrator.lockTimeout
    while true {
      var hasBegun = false
      var step: NextStep?
      do {
        return try transaction { db in
          hasBegun = true
          let state = try migrator.state(of: db)
          guard let next = try nextStep(in: state) else {
            try finish(state, in: db)
            return .finished
          }
          if state.unfinished == nil, let snapshot = next.snapshot { try takeSnapshot(snapshot) }
          step = next
          return try run(next, isReported: version == next.transition.to, in: db)
        }
      } catch let error as StorageError where error.code == .locked && !hasBegun {
        guard ContinuousClock.now < deadline else {
          throw StorageError.migration(
            """
            the migrator received no write access to the database within \
            \(migrator.lockTimeout), perhaps because another connection is migrating the database
            """,
            suggestion: """
              wait until all other writes and migrations of the database have ended, or set a \
              longer Migrator.lockTimeout
              """,
            as: .locked,
            underlying: error)
        }
        usleep(5_000)
      } catch let interruption as MigrationInterruption {
        throw interruption
      } catch {
        guard let step else { throw error }
        throw MigrationFailure(
          transition: step.transition, cause: error,
          start: step.state.start ?? step.transition.from, snapshot: step.snapshot,
          hasCommittedSteps: step.state.unfinished != nil,
          earlierDifference: migrator.earlierDifference(of: database, before: step),
          state: step.state)
      }
    }
  }

  /// Runs `body` in a write transaction, with foreign keys off.
  private func transaction<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try database.writeWithoutTransaction { db in
      try interruptible(db) { db in
        // `PRAGMA foreign_keys` has no effect within a transaction. With foreign keys on,
        // `DROP TABLE` first deletes the rows of the table, which deletes the rows that refer to
        // them or fails.
        try db.execute("PRAGMA foreign_keys = OFF")
        return try db.transaction(lock: .immediate) { db in
          let result = try body(db)
          // If another process has put another file at this path, a commit would be lost, or its
          // log would be used for that file.
          try database.requireOpenFilesUnchanged()
          return result
        }
      }
    }
  }

  /// Runs `body`, and interrupts the running statement of the connection when the task is
  /// cancelled.
  private func interruptible<Result>(
    _ db: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    guard let interruption = migrator.interruption else { return try body(db) }
    return try interruption.interrupting(db, body)
  }
}

/// A wrapper of an error that ends the migration but is not a failure of a step.
///
/// The cause is the error that the event handler threw, or `CancellationError`.
struct MigrationInterruption: Error {
  let cause: any Error
}

extension Migrator {
  var isCancelled: Bool { Task.isCancelled || interruption?.isCancelled == true }

  /// Reports an event to the event handler, or throws `CancellationError` if the migration is
  /// cancelled.
  func report(_ event: MigrationEvent) throws {
    if isCancelled { throw CancellationError() }
    try onEvent?(event)
  }
}
