import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

// The fallback reads the files through separate connections, because the connection of the
// migration may be in a transaction.

extension Migrator {
  /// Returns options that open a file for reading only, with the functions and collations of
  /// `database`, which the schema of the file may need.
  func reading(_ database: Database) -> DatabaseOptions {
    DatabaseOptions(readerCount: 1, isReadOnly: true, setUp: database.options.setUp)
  }

  /// Returns whether the file is still in the state in which the step failed.
  ///
  /// If not, another process has continued the migration, restored the file or recreated it.
  func isUnchanged(_ database: Database, since failure: MigrationFailure) throws -> Bool {
    try presentState(database, failure) == failure.state
  }

  /// Returns whether the file is in its state before the first step of the failed migration.
  func isRestored(_ database: Database, after failure: MigrationFailure) throws -> Bool {
    let state = try presentState(database, failure)
    return state.unfinished == nil && state.entries.last?.version == failure.start
  }

  private func presentState(
    _ database: Database, _ failure: MigrationFailure
  ) throws -> MigrationState {
    // An in-memory database cannot be reached by another process.
    guard let location = database.location else { return failure.state }
    let reader = try Database(at: location, reading(database))
    defer { try? reader.close() }
    return try reader.read { db in try state(of: db) }
  }

  /// Throws if a snapshot is damaged, or if its version differs from the version in its file name.
  func requireIntact(_ snapshot: MigrationSnapshot, of database: Database) throws {
    let copy = try Database(at: snapshot.location, reading(database))
    defer { try? copy.close() }
    if let problem = try copy.quickCheck(limit: 1).first {
      throw StorageError.migration(
        "the snapshot \(quoted(snapshot.location.path)) is damaged: \(problem)",
        suggestion: "restore the database from a backup", as: .corrupted)
    }
    let version = try copy.read { db in try state(of: db).entries.last?.version }
    guard version == snapshot.version else {
      throw StorageError.migration(
        """
        the file name of the snapshot \(quoted(snapshot.location.path)) contains the version \
        \(quoted(snapshot.version)), but the database in the snapshot has \
        \(version.map { "the version \(quoted($0))" } ?? "no version")
        """,
        suggestion: "restore the database from a backup", as: .corrupted)
    }
  }

  /// Copies the database, in its state before the first step, to the first unused location beside
  /// it, and returns the location of the copy.
  ///
  /// If the last used location already contains an identical copy, returns that location instead. A
  /// process that is killed after it created the copy leaves such a file.
  func preserveFailedDatabase(
    _ database: Database, _ location: URL, _ failure: MigrationFailure
  ) throws -> URL {
    var source = location
    if failure.hasCommittedSteps {
      guard let snapshot = failure.snapshot else {
        throw StorageError.migration(
          "no snapshot exists of the state before the committed steps",
          suggestion: """
            choose the fallback .fail, which requires no snapshot; for later migrations, set \
            Migrator.takesSnapshot to true, so that a snapshot exists
            """,
          as: .migrationFailed, underlying: failure)
      }
      try requireIntact(snapshot, of: database)
      source = snapshot.location
    }
    let (copy, earlier) = try Self.unusedLocation(beside: location)
    let old = try Database(at: source, reading(database))
    defer { try? old.close() }
    let isNew = try old.backUp(to: copy, unlessSameAs: earlier)
    return isNew ? copy : earlier ?? copy
  }

  /// Returns the first unused location for a copy beside a database, and the location of the last
  /// existing copy.
  ///
  /// If there is no copy yet, `last` is `nil`.
  private static func unusedLocation(beside location: URL) throws -> (free: URL, last: URL?) {
    var last: URL?
    for number in 1..<10_000 {
      let copy = location.deletingLastPathComponent().appending(
        path: "\(location.lastPathComponent).kept-\(number)", directoryHint: .notDirectory)
      if try DatabaseFiles(at: copy).isAbsent() { return (copy, last) }
      last = copy
    }
    throw StorageError.migration(
      """
      the folder of \(quoted(location.path)) already contains 9,999 copies of earlier states of \
      this database, the maximum
      """,
      suggestion: """
        move some of the copies, which are named \
        \(quoted("\(location.lastPathComponent).kept-…")), to another folder
        """,
      as: .unavailable)
  }
}
