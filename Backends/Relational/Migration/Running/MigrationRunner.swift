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
  private var move: MigrationMove?
  /// Where it began, once that is known.
  private(set) var start: String?
  private(set) var snapshot: MigrationSnapshot?
  private var hasKeptSteps = false
  /// What the one who is told has thrown, which is no failure of the migration.
  private var interruption: (any Error)?

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
      guard let move, let start else { throw error }
      throw MigrationFailure(
        move: move, cause: error, start: start, snapshot: snapshot, hasKeptSteps: hasKeptSteps)
    }
  }

  /// Tells what happens.
  mutating func tell(_ event: MigrationEvent) throws {
    do {
      if Task.isCancelled { throw CancellationError() }
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
          // They cannot be switched within a transaction, and dropping a table would delete what refers to it.
          try db.execute("PRAGMA foreign_keys = OFF")
          return try db.transaction(.immediate) { db in
            hasBegun = true
            return try advance(db)
          }
        }
        if let move {
          hasKeptSteps = true
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

  /// Whether what was done last is one slice, and not the step.
  private var isSlice = false
  /// The version whose step was said to begin; a step in slices takes several turns.
  private var told: String?

  private mutating func advance(_ db: borrowing Connection) throws -> Bool {
    let state = try migrator.state(of: db)
    if state.isNew {
      try create(in: db)
      return false
    }
    let moves = try migrator.course(from: state, to: target)
    if start == nil { start = state.run?.start ?? state.entries.last?.version }
    if state.run != nil { hasKeptSteps = true }
    guard let next = moves.first else {
      if state.adoption != nil { try MigrationRecord.make(state.entries, .adopted, in: db) }
      if state.run != nil { try MigrationRun.end(in: db) }
      return false
    }
    snapshot = migrator.snapshot(of: database, state)
    if state.run == nil, snapshot != nil { try takeSnapshot() }
    move = next
    var run =
      state.run
      ?? MigrationRun(start: start ?? next.origin, snapshot: snapshot?.location.lastPathComponent)
    if state.adoption != nil { try MigrationRecord.make(state.entries, .adopted, in: db) }
    if told != next.result {
      told = next.result
      try tell(.willRun(next))
    }
    isSlice = false
    if let slices = next.slices, !(run.slicedVersion == next.result && run.isSliced) {
      try slice(next, slices, &run, in: db)
      return true
    }
    try perform(next, isLast: moves.count == 1, in: db)
    if moves.count == 1 {
      try MigrationRun.end(in: db)
    } else {
      run.slicedVersion = nil
      run.cursor = nil
      run.isSliced = false
      try run.save(in: db)
    }
    return moves.count > 1
  }

  /// Gives a new database its schema, and runs no step unless an older version than the newest was asked for.
  private mutating func create(in db: borrowing Connection) throws {
    let place = try migrator.place(of: target)
    try migrator.make(place, in: db)
    try MigrationRecord.make(migrator.entries(to: place), .created, in: db)
    try migrator.checkForeignKeys(db)
  }

  /// Copies the database as it is, while this transaction keeps all others from changing it.
  private mutating func takeSnapshot() throws {
    guard let snapshot, let location = database.location else { return }
    // This connection is inside a write, though it has not written yet.
    let reader = try Database(
      at: location,
      DatabaseOptions(lockTimeout: database.options.lockTimeout, readerCount: 1, isReadOnly: true))
    try reader.backUp(to: snapshot.location, pagesAtATime: 4_096) { progress in
      try tell(.snapshot(progress))
    }
    try reader.close()
  }

  private mutating func slice(
    _ move: MigrationMove, _ slices: MigrationSlices, _ run: inout MigrationRun,
    in db: borrowing Connection
  ) throws {
    isSlice = true
    if run.slicedVersion != move.result {
      run.slicedVersion = move.result
      run.cursor = nil
    }
    var fraction: Double?
    switch try slices.run(db, run.cursor) {
    case .next(let cursor, let done): (run.cursor, fraction) = (cursor, done)
    case .done: (run.isSliced, fraction) = (true, 1)
    }
    try run.save(in: db)
    try tell(.progress(move, fraction: fraction))
  }

  private mutating func perform(
    _ move: MigrationMove, isLast: Bool, in db: borrowing Connection
  ) throws {
    let migrator = migrator
    let progress = MigrationProgress { fraction in
      if Task.isCancelled { throw MigrationInterruption(CancellationError()) }
      do {
        try migrator.onEvent?(.progress(move, fraction: fraction))
      } catch {
        throw MigrationInterruption(error)
      }
    }
    do {
      try move.work(db, progress)
    } catch let error as MigrationInterruption {
      interruption = error.cause
      throw error
    }
    try tell(.checking(move))
    switch move.direction {
    case .up:
      try MigrationRecord.add(
        .init(version: move.result, down: move.downScript), .step, in: db)
    case .down: try MigrationRecord.remove(move.origin, in: db)
    }
    try migrator.checkForeignKeys(db)
    if isLast { try migrator.check(db, isAt: move.result, database.options) }
  }
}

/// That the one who is told of the progress of a step wants it to end.
struct MigrationInterruption: Error {
  let cause: any Error

  init(_ cause: any Error) { self.cause = cause }
}
