import UndercroftCore
import UndercroftFileSystem
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One migration of one database: turn after turn, each in a transaction, until nothing is left to do.
///
/// At the beginning of each turn the file is asked anew where it is, so that of several processes each step is run by one, and a process that
/// was killed is continued by the next.
struct MigrationRunner {
  let migrator: Migrator
  let database: Database
  let target: String?
  /// What is under way, for errors.
  var move: MigrationMove?
  /// Where the file was at the beginning of the turn, which is no longer where this process has left it: others may have come in between.
  var state = MigrationState(entries: [])
  var snapshot: MigrationSnapshot?
  /// What the one who is told has thrown, which is no failure of the migration.
  var interruption: (any Error)?

  /// Whether what was done last is one slice, and not the step.
  var isSlice = false
  /// The version whose step was said to begin; a step in slices takes several turns.
  var told: String?

  init(_ migrator: Migrator, _ database: Database, to target: String?) {
    (self.migrator, self.database, self.target) = (migrator, database, target)
  }

  /// Runs all turns.
  ///
  /// - Throws: a ``MigrationFailure`` when a step or a check failed, and everything else unchanged.
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

  /// Tells what happens.
  mutating func tell(_ event: MigrationEvent) throws {
    do {
      if migrator.isCancelled { throw CancellationError() }
      try migrator.onEvent?(event)
    } catch {
      interruption = error
      throw error
    }
  }

  /// Does the next thing that is to do; returns `false` when there is nothing.
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
          // Kept by now, whatever the one who is told makes of it.
          self.move = nil
          if !isSlice { try tell(.didRun(move)) }
        }
        return isMore
      } catch let error as StorageError where error.code == .locked && !hasBegun {
        guard ContinuousClock.now < deadline else {
          throw StorageError.migration(
            "another process has been writing to the file for \(migrator.lockTimeout), perhaps migrating it",
            cure: "wait for it to end, or set Migrator.lockTimeout", as: .locked,
            underlying: error)
        }
        usleep(5_000)
      }
    }
  }

  private mutating func transaction(
    _ db: borrowing Connection, _ hasBegun: inout Bool
  ) throws -> Bool {
    // They cannot be switched within a transaction, and dropping a table would delete what refers to it.
    try db.execute("PRAGMA foreign_keys = OFF")
    return try db.transaction(.immediate) { db in
      hasBegun = true
      let isMore = try advance(db)
      // What is committed to a file that another one has replaced would be lost, or be taken for the log of that.
      try database.requirePlace()
      return isMore
    }
  }
}

extension Migrator {
  var isCancelled: Bool { Task.isCancelled || interruption?.isCancelled == true }
}
