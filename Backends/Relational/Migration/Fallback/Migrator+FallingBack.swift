import UndercroftCore
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Migrator {
  /// Does what ``fallback`` says about a failure; `nil` when others have made something else of the file meanwhile.
  func fallBack(
    _ database: Database, after failure: MigrationFailure
  ) throws -> MigrationOutcome? {
    let fallback = fallback(failure)
    try onEvent?(.failed(failure, fallback))
    switch fallback {
    case .fail:
      throw error(failure, kept(failure))
    case .restoreSnapshot:
      guard try putBack(database, after: failure) else { return nil }
      throw error(failure, "the file is as it was at \(quoted(failure.start))")
    case .openReadOnly:
      guard try putBack(database, after: failure) else { return nil }
      return .readOnly(failure)
    case .startAfresh:
      guard let kept = try startAfresh(database, after: failure) else { return nil }
      return .startedAfresh(failure, kept: kept)
    }
  }

  private func error(_ failure: MigrationFailure, _ state: String) -> StorageError {
    StorageError(
      .migrationFailed, "\(failure)", cure: state, backend: "sqlite", underlying: failure)
  }

  private func kept(_ failure: MigrationFailure) -> String {
    failure.hasKeptSteps
      ? "what came before is kept, and the file is at \(quoted(failure.move.from))"
      : "the file is as it was"
  }

  /// Puts the database back to what it was before the first step; without one that was kept it is that already.
  ///
  /// - Returns: `false` when it is neither what the step has failed at nor what it was before.
  private func putBack(
    _ database: Database, after failure: MigrationFailure
  ) throws -> Bool {
    if failure.hasKeptSteps, try isUnchanged(database, since: failure) {
      guard let snapshot = failure.snapshot else {
        throw error(failure, "\(kept(failure)), as no snapshot was taken")
      }
      do {
        let copy = try Database(at: snapshot.location, reading(database))
        defer { try? copy.close() }
        let isBack = try database.overwrite(with: copy, lockTimeout: lockTimeout) {
          guard try isUnchanged(database, since: failure) else { return false }
          try requireWhole(snapshot, of: database)
          try copy.requirePlace()
          return true
        }
        if isBack { return true }
      } catch {
        // Whoever has put it back in our place may have removed the snapshot as well.
        guard try isUnchanged(database, since: failure) else {
          return try isBack(database, after: failure)
        }
        throw StorageError(
          .migrationFailed,
          "\(failure); the snapshot \(quoted(snapshot.location.path)) could not be put back: \(error)",
          cure: kept(failure), backend: "sqlite", underlying: failure)
      }
    }
    return try isBack(database, after: failure)
  }

  /// Keeps what the database was in a file of its own, and empties it; returns that file, and `nil` when the database is no longer what the
  /// step has failed at.
  ///
  /// All of it while nobody else can write, so that what others write is neither left out of the one nor lost in the other.
  private func startAfresh(
    _ database: Database, after failure: MigrationFailure
  ) throws -> URL? {
    guard let location = database.files?.location else {
      throw error(failure, "a database in memory cannot be kept aside")
    }
    // Those who have the file open cannot go on with another page size or encoding.
    let (pageSize, encoding) = try database.read { db in
      (try db.pageSize(), try db.value("PRAGMA encoding", as: String.self))
    }
    let setUp = database.options.setUp
    let new = try Database.inMemory(
      DatabaseOptions(setUp: { db in
        try db.execute(SQL(unchecked: "PRAGMA page_size = \(pageSize)"))
        try db.execute(SQL(unchecked: "PRAGMA encoding = '\(encoding)'"))
        try setUp?(db)
      }))
    var fresh = self
    fresh.onEvent = nil
    try fresh.migrate(new)
    var kept: URL?
    do {
      let isDone = try database.overwrite(with: new, lockTimeout: lockTimeout) {
        guard try isUnchanged(database, since: failure) else { return false }
        kept = try keepAside(database, location, failure)
        return true
      }
      return isDone ? kept : nil
    } catch {
      throw StorageError(
        .migrationFailed, "\(failure); the file could not begin anew: \(error)",
        cure: self.kept(failure), backend: "sqlite", underlying: failure)
    }
  }
}
