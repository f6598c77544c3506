import Synchronization
import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

// The actions within one transaction of a migration, which
// `MigrationRunner.transaction(_:)` begins and commits.

extension MigrationRunner {
  /// Returns the next step, or `nil` if the file is new or already has the target version.
  func nextStep(in state: MigrationState) throws -> NextStep? {
    if state.isNew { return nil }
    let transitions = try migrator.path(from: state, to: target)
    return transitions.first.map { next in
      NextStep(
        transition: next, state: state, snapshot: migrator.snapshot(of: database, state),
        isLast: transitions.count == 1)
    }
  }

  /// Creates the schema of a new database, or completes the migration history of a file that needs
  /// no further step.
  ///
  /// If a ``MigrationAdoption`` determined the version of the file, also verifies that the file has
  /// the schema of that version.
  func finish(_ state: MigrationState, in db: Connection) throws {
    if state.isNew { return try create(in: db) }
    if let adoption = state.adoption, let last = state.entries.last {
      try migrator.check(
        db, mayBeAt: last.version, accordingTo: adoption, database.options)
      try MigrationHistory.create(state.entries, .adopted, in: db)
    }
    if state.unfinished != nil { try UnfinishedMigration.end(in: db) }
  }

  /// Creates the schema and the migration history of a new database.
  ///
  /// Both are created in one transaction, even if several steps create the schema. So if the
  /// process is killed, the database is still new.
  private func create(in db: Connection) throws {
    let index = try migrator.index(of: target)
    try migrator.createSchema(at: index, in: db)
    try MigrationHistory.create(migrator.entries(through: index), .created, in: db)
    let isFromSchema = migrator.schema != nil && index == migrator.steps.count - 1
    try migrator.checkForeignKeys(
      db, writtenBy: isFromSchema ? "the argument \"schema\" of Migrator" : "the steps")
  }

  /// Copies the database to a snapshot.
  ///
  /// The caller's write transaction prevents all other connections from changing the database.
  func takeSnapshot(_ snapshot: MigrationSnapshot) throws {
    guard let location = database.location else { return }
    try snapshot.requireUsable()
    do {
      // This connection is inside a write transaction, though it has not written yet,
      // so another connection makes the copy.
      let reader = try Database(
        at: location,
        DatabaseOptions(lockTimeout: database.options.lockTimeout, readerCount: 1, isReadOnly: true)
      )
      // Another process may have put another file at this path before the reader was opened.
      try database.requireOpenFilesUnchanged()
      try reader.backUp(to: snapshot.location, pagesAtATime: 4_096) { progress in
        try report(.snapshot(progress))
      }
      try reader.close()
    } catch let error as StorageError {
      let size = (try? database.files?.byteCount()).map { " (\($0) bytes)" } ?? ""
      throw StorageError.migration(
        """
        the database\(size) could not be copied to the snapshot \
        \(quoted(snapshot.location.path)): \(StorageError.reason(of: error))
        """,
        suggestion: error.code == .full
          ? "free disk space, or set Migrator.takesSnapshot to false to migrate without a snapshot"
          : """
          correct the cause, or set Migrator.takesSnapshot to false to migrate without a snapshot
          """,
        as: error.code, underlying: error)
    }
  }

  /// Runs a step, or the next slice of the step, and updates the migration history.
  ///
  /// - Parameter isReported: whether an earlier slice of the step has already reported the
  ///   beginning of the step. If `false`, ``MigrationEvent/willRun(_:)`` is reported first.
  func run(
    _ step: NextStep, isReported: Bool, in db: Connection
  ) throws -> TransactionResult {
    let (state, transition) = (step.state, step.transition)
    var unfinished =
      state.unfinished
      ?? UnfinishedMigration(
        start: state.start ?? transition.from, snapshot: step.snapshot?.location.lastPathComponent)
    if state.adoption != nil { try MigrationHistory.create(state.entries, .adopted, in: db) }
    if !isReported { try report(.willRun(transition)) }
    let isSliced = unfinished.slicedVersion == transition.to && unfinished.isSliced
    if let slice = transition.slice, !isSliced {
      try run(slice, of: step, &unfinished, in: db)
      return .ranSlice(step)
    }
    try perform(step, in: db)
    if step.isLast {
      try UnfinishedMigration.end(in: db)
    } else {
      unfinished.slicedVersion = nil
      unfinished.cursor = nil
      unfinished.isSliced = false
      try unfinished.save(in: db)
    }
    return .ranStep(step, hasMore: !step.isLast)
  }

  /// Runs one slice of a step, and stores in the file the value that the slice returned.
  private func run(
    _ slice: MigrationStep.Slice, of step: NextStep, _ unfinished: inout UnfinishedMigration,
    in db: Connection
  ) throws {
    let version = step.transition.to
    if unfinished.slicedVersion != version {
      unfinished.slicedVersion = version
      unfinished.cursor = nil
    }
    var fraction: Double?
    switch try slice(db, unfinished.cursor) {
    case .next(let cursor, let done): (unfinished.cursor, fraction) = (cursor, done)
    case .done: (unfinished.isSliced, fraction) = (true, 1)
    }
    try unfinished.save(in: db)
    try MigrationHistory.require(
      step.state.entries, after: "the step to \(quoted(version))", in: db)
    try report(.progress(step.transition, fraction: fraction))
  }

  /// Runs a step, updates the migration history, and checks the database.
  private func perform(_ step: NextStep, in db: Connection) throws {
    let transition = step.transition
    try runClosure(of: transition, in: db)
    try report(.checking(transition))
    let entries = try record(transition, after: step.state.entries, in: db)
    try MigrationHistory.require(entries, after: "the step \(quoted("\(transition)"))", in: db)
    try migrator.checkForeignKeys(db, writtenBy: "the step")
    if step.isLast, let version = entries.last?.version {
      try migrator.check(db, isAt: version, database.options)
    }
  }

  /// Runs the closure of a step.
  ///
  /// - Throws: ``MigrationInterruption`` if the event handler threw an error or the migration was
  ///   cancelled when the step reported its progress, even if the step swallowed the error.
  private func runClosure(
    of transition: MigrationPlan.Transition, in db: Connection
  ) throws {
    let migrator = migrator
    let cancellation = StepCancellation()
    let progress = MigrationProgress { fraction in
      do {
        try migrator.report(.progress(transition, fraction: fraction))
      } catch {
        cancellation.request(error)
        throw error
      }
    }
    do {
      try transition.work(db, progress)
    } catch {
      throw cancellation.cause.map(MigrationInterruption.init) ?? Self.suggestingTools(error)
    }
    if let cause = cancellation.cause { throw MigrationInterruption(cause: cause) }
  }

  /// Returns the error of a step, with the suggestion to call
  /// `dropColumn(_:of:)` if SQLite refused to drop a column.
  private static func suggestingTools(_ error: any Error) -> any Error {
    guard let error = error as? StorageError, let message = error.sqliteError?.message,
      message.contains(" after drop column: ") || message.hasPrefix("cannot drop UNIQUE column")
    else { return error }
    return StorageError(
      error.code, error.failure,
      suggestion: message.hasPrefix("cannot drop UNIQUE column")
        ? """
        instead of ALTER TABLE … DROP COLUMN, call db.dropColumn(_:of:) in a closure of the step
        """
        : """
        if the error names an index, call db.dropColumn(_:of:) in a closure of the step instead of \
        ALTER TABLE … DROP COLUMN; if the error names a view or a trigger, drop this object before \
        ALTER TABLE; if the error names a table, call db.rebuildTable(_:as:) instead of ALTER TABLE
        """,
      backend: error.backend, underlying: error.underlying)
  }

  /// Updates the migration history after a step has run, and returns the new entries of the
  /// history.
  ///
  /// - Parameter entries: the entries of the history before the step.
  private func record(
    _ transition: MigrationPlan.Transition, after entries: [MigrationHistory.Entry],
    in db: Connection
  ) throws -> [MigrationHistory.Entry] {
    var entries = entries
    switch transition.direction {
    case .up:
      let entry = MigrationHistory.Entry(version: transition.to, down: transition.downScript)
      let later = transition.isInserted ? migrator.index(after: transition.to, in: entries) : nil
      if let later {
        try MigrationHistory.insert(entry, before: entries[later].version, in: db)
      } else {
        try MigrationHistory.add(entry, .step, in: db)
      }
      entries.insert(entry, at: later ?? entries.count)
    case .down:
      entries.removeLast()
      try MigrationHistory.remove(transition.from, in: db)
    }
    return entries
  }
}

/// A record of the error that a progress report of a step threw, so that the step fails even if its
/// closure swallows the error.
private final class StepCancellation: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  /// The error that a progress report threw, or `nil` if no progress report has thrown.
  var cause: (any Error)? { error.withLock { $0 } }

  /// Records the error, unless one is recorded already.
  func request(_ cause: any Error) { error.withLock { $0 = $0 ?? cause } }
}
