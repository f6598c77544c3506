import UndercroftCore
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The work that is done within one transaction of a migration.

extension MigrationRunner {
  /// Does the next part of the migration within a transaction.
  ///
  /// Returns `false` if it was the last.
  mutating func advance(_ db: Connection) throws -> Bool {
    state = try migrator.state(of: db)
    if state.isNew {
      try create(in: db)
      return false
    }
    let moves = try migrator.path(from: state, to: target)
    guard let next = moves.first else {
      if state.adoption != nil, let last = state.entries.last {
        try migrator.check(db, mayBeAt: last.version, database.options)
        try MigrationHistory.make(state.entries, .adopted, in: db)
      }
      if state.run != nil { try UnfinishedMigration.end(in: db) }
      return false
    }
    snapshot = migrator.snapshot(of: database, state)
    if state.run == nil, snapshot != nil { try takeSnapshot() }
    move = next
    var run =
      state.run
      ?? UnfinishedMigration(
        start: state.start ?? next.from, snapshot: snapshot?.location.lastPathComponent)
    if state.adoption != nil { try MigrationHistory.make(state.entries, .adopted, in: db) }
    if told != next.to {
      told = next.to
      try tell(.willRun(next))
    }
    isSlice = false
    if let slices = next.slices, !(run.slicedVersion == next.to && run.isSliced) {
      try slice(next, slices, &run, in: db)
      return true
    }
    try perform(next, isLast: moves.count == 1, in: db)
    if moves.count == 1 {
      try UnfinishedMigration.end(in: db)
    } else {
      run.slicedVersion = nil
      run.cursor = nil
      run.isSliced = false
      try run.save(in: db)
    }
    return moves.count > 1
  }

  /// Creates the schema of a new database.
  ///
  /// Runs steps only if an older version than the newest was requested.
  private mutating func create(in db: Connection) throws {
    let place = try migrator.place(of: target)
    try migrator.make(place, in: db)
    try MigrationHistory.make(migrator.entries(to: place), .created, in: db)
    try migrator.checkForeignKeys(db)
  }

  /// Copies the database to the snapshot.
  ///
  /// This transaction prevents all other connections from changing it.
  private mutating func takeSnapshot() throws {
    guard let snapshot, let location = database.location else { return }
    try snapshot.requirePlace()
    do {
      // This connection is inside a write transaction, though it has not written yet,
      // so the copy is made by another one.
      let reader = try Database(
        at: location,
        DatabaseOptions(lockTimeout: database.options.lockTimeout, readerCount: 1, isReadOnly: true)
      )
      // Another process may have put another file at this path since.
      try database.requirePlace()
      try reader.backUp(to: snapshot.location, pagesAtATime: 4_096) { progress in
        try tell(.snapshot(progress))
      }
      try reader.close()
    } catch let error as StorageError where interruption == nil {
      let size = (try? database.files?.byteCount()).map { " of \($0) bytes" } ?? ""
      throw StorageError.migration(
        "the snapshot \(quoted(snapshot.location.path))\(size) cannot be made: \(error)",
        suggestion:
          "free disk space or fix the cause, or set Migrator.takesSnapshot to false",
        as: error.code, underlying: error)
    }
  }

  /// Runs one slice, and stores the value that it returned.
  private mutating func slice(
    _ move: MigrationPlan.Transition, _ slices: MigrationSlices, _ run: inout UnfinishedMigration,
    in db: Connection
  ) throws {
    isSlice = true
    if run.slicedVersion != move.to {
      run.slicedVersion = move.to
      run.cursor = nil
    }
    var fraction: Double?
    switch try slices.run(db, run.cursor) {
    case .next(let cursor, let done): (run.cursor, fraction) = (cursor, done)
    case .done: (run.isSliced, fraction) = (true, 1)
    }
    try run.save(in: db)
    try MigrationHistory.require(
      state.entries, after: "a slice of the step to \(quoted(move.to))", in: db)
    try tell(.progress(move, fraction: fraction))
  }

  /// Runs a step, records it, and checks the result.
  private mutating func perform(
    _ move: MigrationPlan.Transition, isLast: Bool, in db: Connection
  ) throws {
    let migrator = migrator
    let end = StepCancellation()
    let progress = MigrationProgress { fraction in
      do {
        if migrator.isCancelled { throw CancellationError() }
        try migrator.onEvent?(.progress(move, fraction: fraction))
      } catch {
        end.request(error)
        throw error
      }
    }
    do {
      try move.work(db, progress)
    } catch {
      interruption = end.cause
      throw error
    }
    // The step may have swallowed the error.
    if let cause = end.cause {
      interruption = cause
      throw cause
    }
    try tell(.checking(move))
    var entries = state.entries
    switch move.direction {
    case .up:
      let entry = MigrationHistory.Entry(version: move.to, down: move.downScript)
      let later = move.isInserted ? migrator.index(after: move.to, in: entries) : nil
      if let later {
        try MigrationHistory.insert(entry, before: entries[later].version, in: db)
      } else {
        try MigrationHistory.add(entry, .step, in: db)
      }
      entries.insert(entry, at: later ?? entries.count)
    case .down:
      entries.removeLast()
      try MigrationHistory.remove(move.from, in: db)
    }
    try MigrationHistory.require(
      entries, after: "the step \(quoted("\(move)"))", in: db)
    try migrator.checkForeignKeys(db)
    if isLast, let version = entries.last?.version {
      try migrator.check(db, isAt: version, database.options)
    }
  }
}
