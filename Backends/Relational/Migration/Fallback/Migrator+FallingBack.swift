import UndercroftCore
import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Migrator {
  /// Does what ``fallback`` says about a failure.
  func fallBack(
    _ database: Database, after failure: MigrationFailure
  ) throws -> MigrationOutcome {
    let fallback = fallback(failure)
    try onEvent?(.failed(failure, fallback))
    switch fallback {
    case .fail:
      throw error(failure, kept(failure))
    case .restoreSnapshot:
      try putBack(database, after: failure)
      throw error(failure, "the file is as it was at \(quoted(failure.start))")
    case .openReadOnly:
      try putBack(database, after: failure)
      return .readOnly(failure)
    case .startAfresh:
      return .startedAfresh(failure, kept: try startAfresh(database, after: failure))
    }
  }

  private func error(_ failure: MigrationFailure, _ state: String) -> StorageError {
    StorageError(
      .migrationFailed, "\(failure)", cure: state, backend: "sqlite", underlying: failure)
  }

  private func kept(_ failure: MigrationFailure) -> String {
    failure.hasKeptSteps
      ? "what came before is kept, and the file is at \(quoted(failure.move.origin))"
      : "the file is as it was"
  }

  /// Puts the database back to what it was before the first step; without one that was kept it is that already.
  private func putBack(_ database: Database, after failure: MigrationFailure) throws {
    guard failure.hasKeptSteps else { return }
    guard let snapshot = failure.snapshot else {
      throw error(failure, "\(kept(failure)), as no snapshot was taken")
    }
    do {
      let copy = try Database(
        at: snapshot.location, DatabaseOptions(readerCount: 1, isReadOnly: true))
      try database.overwrite(with: copy)
      try copy.close()
    } catch {
      throw StorageError(
        .migrationFailed,
        "\(failure); the snapshot \(quoted(snapshot.location.path)) could not be put back: \(error)",
        cure: kept(failure), backend: "sqlite", underlying: failure)
    }
  }

  /// Keeps what the database was in a file of its own, and empties it; returns that file.
  private func startAfresh(
    _ database: Database, after failure: MigrationFailure
  ) throws -> URL {
    guard let location = database.files?.location else {
      throw error(failure, "a database in memory cannot be kept aside")
    }
    try putBack(database, after: failure)
    let kept = try Self.free(beside: location)
    try database.backUp(to: kept)
    let pageSize = try database.read { db in try db.pageSize() }
    let setUp = database.options.setUp
    let new = try Database.inMemory(
      DatabaseOptions(setUp: { db in
        try db.execute(SQL(unchecked: "PRAGMA page_size = \(pageSize)"))
        try setUp?(db)
      }))
    var fresh = self
    fresh.onEvent = nil
    try fresh.migrate(new)
    try database.overwrite(with: new)
    return kept
  }

  /// The first place beside a file that is not taken.
  private static func free(beside location: URL) throws -> URL {
    for number in 1..<10_000 {
      let place = location.deletingLastPathComponent().appending(
        path: "\(location.lastPathComponent).kept-\(number)", directoryHint: .notDirectory)
      if (try? DatabaseFiles(at: place).byteCount()) == nil { return place }
    }
    throw StorageError.migration(
      "thousands of earlier files are beside \(quoted(location.path))", cure: "remove some",
      as: .unavailable)
  }
}
