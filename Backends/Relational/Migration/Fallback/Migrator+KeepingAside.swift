import UndercroftCore
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What a fallback asks of the files; by connections of its own, because the one of the migration may be at work on them.

extension Migrator {
  /// How to look at a file: with the functions and collations that its schema may need.
  func reading(_ database: Database) -> DatabaseOptions {
    DatabaseOptions(readerCount: 1, isReadOnly: true, setUp: database.options.setUp)
  }

  /// Whether the file is still what the step has failed at, and no other process went on, put it back or began anew.
  func isUnchanged(_ database: Database, since failure: MigrationFailure) throws -> Bool {
    try presentState(database, failure) == failure.state
  }

  /// Whether the file is what it was before the first step.
  func isBack(_ database: Database, after failure: MigrationFailure) throws -> Bool {
    let state = try presentState(database, failure)
    return state.run == nil && state.entries.last?.version == failure.start
  }

  private func presentState(
    _ database: Database, _ failure: MigrationFailure
  ) throws -> MigrationState {
    // Nobody else reaches one in memory.
    guard let location = database.location else { return failure.state }
    let reader = try Database(at: location, reading(database))
    defer { try? reader.close() }
    return try reader.read { db in try state(of: db) }
  }

  /// Refuses a snapshot that is damaged, or is another one than its name says.
  func requireWhole(_ snapshot: MigrationSnapshot, of database: Database) throws {
    let copy = try Database(at: snapshot.location, reading(database))
    defer { try? copy.close() }
    if let problem = try copy.quickCheck(limit: 1).first {
      throw StorageError.migration(
        "the snapshot is damaged: \(problem)", cure: "restore a backup", as: .corrupted)
    }
    let version = try copy.read { db in try state(of: db).entries.last?.version }
    guard version == snapshot.version else {
      throw StorageError.migration(
        "the snapshot is of the version \(quoted(version ?? "")), not \(quoted(snapshot.version))",
        cure: "restore a backup", as: .corrupted)
    }
  }

  /// Copies what the database was to the first place beside it that is not taken, and returns that.
  ///
  /// A copy of the very same that is there already, left by a process that was killed after making it, is taken for it.
  func keepAside(
    _ database: Database, _ location: URL, _ failure: MigrationFailure
  ) throws -> URL {
    var source = location
    if failure.hasKeptSteps {
      guard let snapshot = failure.snapshot else {
        throw StorageError.migration(
          "no snapshot was taken, and steps were kept", as: .migrationFailed, underlying: failure)
      }
      try requireWhole(snapshot, of: database)
      source = snapshot.location
    }
    let (place, earlier) = try Self.free(beside: location)
    let old = try Database(at: source, reading(database))
    defer { try? old.close() }
    let isNew = try old.backUp(to: place, unlessSameAs: earlier)
    return isNew ? place : earlier ?? place
  }

  /// Returns the first place beside a file at which there is nothing, and the last one before it.
  private static func free(beside location: URL) throws -> (free: URL, last: URL?) {
    var last: URL?
    for number in 1..<10_000 {
      let place = location.deletingLastPathComponent().appending(
        path: "\(location.lastPathComponent).kept-\(number)", directoryHint: .notDirectory)
      if try DatabaseFiles(at: place).isAbsent() { return (place, last) }
      last = place
    }
    throw StorageError.migration(
      "thousands of earlier files are beside \(quoted(location.path))", cure: "remove some",
      as: .unavailable)
  }
}
