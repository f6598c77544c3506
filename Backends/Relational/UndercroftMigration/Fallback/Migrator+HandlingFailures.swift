import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

extension Migrator {
  /// Carries out the ``fallback`` for a failure.
  ///
  /// - Returns: the outcome, or `nil` if another process has changed the file since the failure.
  /// - Throws: ``StorageError/Code/migrationFailed`` if the fallback is `.fail` or
  ///   `.restoreSnapshot`, or cannot be carried out; the error that ``onEvent`` throws.
  func handleFailure(
    _ database: Database, after failure: MigrationFailure
  ) throws -> MigrationOutcome? {
    let fallback = fallback(failure)
    try onEvent?(.failed(failure, fallback))
    switch fallback {
    case .fail:
      throw StorageError.migration(failure, state: fileState(after: failure))
    case .restoreSnapshot:
      guard try restoreSnapshot(database, after: failure) else { return nil }
      throw StorageError.migration(
        failure,
        state: """
          the database is in its state before the migration, at the version \(quoted(failure.start))
          """)
    case .openReadOnly:
      guard try restoreSnapshot(database, after: failure) else { return nil }
      return .readOnly(failure)
    case .recreate:
      guard let preserved = try recreate(database, after: failure) else { return nil }
      return .recreated(failure, preserved: preserved)
    }
  }

  private func fileState(after failure: MigrationFailure) -> String {
    guard failure.hasCommittedSteps else { return "the database was not changed" }
    let from = failure.transition.from
    let part = failure.state.unfinished?.slicedVersion.map { "a part of the step to \(quoted($0))" }
    let committed =
      switch part {
      case nil: "the earlier steps are committed"
      case let part? where from == failure.start: "\(part) is committed"
      case let part?: "the earlier steps and \(part) are committed"
      }
    return "\(committed), and the database is at the version \(quoted(from))"
  }

  /// Restores the database from the snapshot to its state before the first step.
  ///
  /// If no step was committed, the database is in that state already.
  ///
  /// - Returns: whether the database is in that state. `false` means that another process has
  ///   changed the file since the failure.
  private func restoreSnapshot(
    _ database: Database, after failure: MigrationFailure
  ) throws -> Bool {
    if failure.hasCommittedSteps, try isUnchanged(database, since: failure) {
      guard let snapshot = failure.snapshot else {
        throw StorageError.migration(
          failure, state: "\(fileState(after: failure)); no snapshot exists that could be restored")
      }
      do {
        let copy = try Database(at: snapshot.location, reading(database))
        defer { try? copy.close() }
        let isRestored = try database.overwrite(with: copy, lockTimeout: lockTimeout) {
          guard try isUnchanged(database, since: failure) else { return false }
          try requireIntact(snapshot, of: database)
          try copy.requireOpenFilesUnchanged()
          return true
        }
        if isRestored { return true }
      } catch {
        // Another process that restored the database may also have removed the snapshot.
        guard try isUnchanged(database, since: failure) else {
          return try isRestored(database, after: failure)
        }
        throw StorageError.migration(
          failure,
          """
          the snapshot \(quoted(snapshot.location.path)) could not be restored: \
          \(StorageError.reason(of: error))
          """,
          state: fileState(after: failure))
      }
    }
    return try isRestored(database, after: failure)
  }

  /// Copies the old database to a file beside it, and recreates
  /// the database with the newest schema.
  ///
  /// The copy and the new schema are written while no other connection can write. If another
  /// connection could write, its changes could be missing from the copy or be lost in the database.
  ///
  /// - Returns: the file with the old database, or `nil` if nothing was done, because another
  ///   process has changed the database since the failure.
  private func recreate(
    _ database: Database, after failure: MigrationFailure
  ) throws -> URL? {
    guard let location = database.files?.location else {
      throw StorageError.migration(
        failure,
        """
        the fallback .recreate cannot copy the old database to a file, because the database is in \
        memory
        """,
        state: """
          to correct the second cause, choose another fallback for the in-memory database; \
          \(fileState(after: failure))
          """)
    }
    var preserved: URL?
    do {
      let new = try newDatabase(like: database)
      let isDone = try database.overwrite(with: new, lockTimeout: lockTimeout) {
        guard try isUnchanged(database, since: failure) else { return false }
        preserved = try preserveFailedDatabase(database, location, failure)
        return true
      }
      return isDone ? preserved : nil
    } catch {
      throw StorageError.migration(
        failure, "the database could not be recreated: \(StorageError.reason(of: error))",
        state: fileState(after: failure))
    }
  }

  /// Creates an in-memory database with the newest schema, and with the page size and the encoding
  /// of `database`.
  ///
  /// Connections that have the file open could not continue with another page size or encoding.
  private func newDatabase(like database: Database) throws -> Database {
    let (pageSize, encoding) = try database.read { db in
      (try db.pageSize(), try db.fetchValue("PRAGMA encoding", as: String.self))
    }
    let setUp = database.options.setUp
    let new = try Database.inMemory(
      DatabaseOptions(setUp: { db in
        try db.execute(SQL(unchecked: "PRAGMA page_size = \(pageSize)"))
        try db.execute(SQL(unchecked: "PRAGMA encoding = '\(encoding)'"))
        try setUp?(db)
      }))
    var migrator = self
    migrator.onEvent = nil
    try migrator.migrate(new)
    return new
  }
}
