import UndercroftCore
import UndercroftFileSystem
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs one migration of one database, in consecutive transactions, until nothing is left to do.
///
/// Each transaction reads the state of the file first. So if several processes migrate a file, each
/// step is run by one of them, and if a process is killed, the next one continues its migration.
struct MigrationRunner {
  let migrator: Migrator
  let database: Database
  let target: String?
  /// The step in progress, for errors.
  var move: MigrationPlan.Transition?
  /// The state of the file at the beginning of the current transaction.
  ///
  /// Other processes may have changed the file since the previous transaction of this one.
  var state = MigrationState(entries: [])
  var snapshot: MigrationSnapshot?
  /// The error that the event handler has thrown, which is no failure of the migration.
  var interruption: (any Error)?

  /// Whether the last transaction ran a slice, and not a whole step.
  var isSlice = false
  /// The version whose step was reported by `willRun`.
  ///
  /// A step with slices takes several transactions and is reported once.
  var told: String?

  init(_ migrator: Migrator, _ database: Database, to target: String?) {
    (self.migrator, self.database, self.target) = (migrator, database, target)
  }

  /// Runs all transactions of the migration.
  ///
  /// - Throws: a ``MigrationFailure`` if a step or a check failed.
  ///   All other errors are thrown unchanged.
  mutating func run() throws {
    do {
      while try turn() {}
    } catch {
      if let interruption { throw interruption }
      if migrator.isCancelled { throw CancellationError() }
      guard let move else { throw error }
      throw MigrationFailure(
        move: move, cause: error, start: state.start ?? move.from, snapshot: snapshot,
        hasKeptSteps: state.run != nil, state: state)
    }
  }

  /// Reports an event to the event handler.
  mutating func tell(_ event: MigrationEvent) throws {
    do {
      if migrator.isCancelled { throw CancellationError() }
      try migrator.onEvent?(event)
    } catch {
      interruption = error
      throw error
    }
  }

  /// Runs the next transaction.
  ///
  /// Returns `false` if nothing is left to do.
  private mutating func turn() throws -> Bool {
    let deadline = ContinuousClock.now + migrator.lockTimeout
    while true {
      var hasBegun = false
      do {
        move = nil
        let isMore = try database.writeWithoutTransaction { db in
          guard let interruption = migrator.interruption else {
            return try transaction(db, &hasBegun)
          }
          return try interruption.around(db) { db in try transaction(db, &hasBegun) }
        }
        if let move {
          // The step is committed, even if the event handler throws.
          self.move = nil
          if !isSlice { try tell(.didRun(move)) }
        }
        return isMore
      } catch let error as StorageError where error.code == .locked && !hasBegun {
        guard ContinuousClock.now < deadline else {
          throw StorageError.migration(
            "another process has been writing to the file for \(migrator.lockTimeout), perhaps migrating it",
            suggestion: "wait for it to end, or set Migrator.lockTimeout", as: .locked,
            underlying: error)
        }
        usleep(5_000)
      }
    }
  }

  private mutating func transaction(
    _ db: Connection, _ hasBegun: inout Bool
  ) throws -> Bool {
    // `PRAGMA foreign_keys` has no effect within a transaction. With foreign keys on, `DROP TABLE`
    // first deletes the rows of the table, which deletes the rows that refer to them or fails.
    try db.execute("PRAGMA foreign_keys = OFF")
    return try db.transaction(.immediate) { db in
      hasBegun = true
      let isMore = try advance(db)
      // If another process has put another file at this path, a commit would be lost, or its log
      // would be used for that file.
      try database.requirePlace()
      return isMore
    }
  }
}

extension Migrator {
  var isCancelled: Bool { Task.isCancelled || interruption?.isCancelled == true }
}
