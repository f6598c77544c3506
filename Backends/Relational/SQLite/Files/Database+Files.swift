import UndercroftCore

extension Database {
  /// The files of the database, or `nil` in memory.
  public var files: DatabaseFiles? {
    location.flatMap { try? DatabaseFiles(at: $0) }
  }

  /// Whether calls are served: neither closed for good nor, at the moment, by ``whileClosed(_:)``.
  public var isOpen: Bool { seats.isOpen }

  /// Waits for all who are inside, closes every connection, runs `body`, and serves calls again, connecting on demand.
  ///
  /// For work on the files: moving, removing, replacing them. Calls that come meanwhile wait until `body` has ended, up to the lock
  /// timeout; one from `body` itself is an error. It may be nested. Observers are told
  /// afterwards that anything may have changed. A database closed for good stays so.
  ///
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/misuse`` inside a read or write and for a database in memory,
  ///   ``StorageError/Code/locked`` when a read or write does not end in time.
  public func whileClosed<Result>(
    _ body: (DatabaseFiles) throws -> Result
  ) throws -> Result {
    guard let location else {
      throw StorageError.sqliteMisuse(
        "cannot close a database in memory for the time: it would be gone",
        cure: "keep it in a file, or back it up")
    }
    let files = try DatabaseFiles(at: location)
    let isOutermost = !seats.isInside
    defer {
      // What is there now may be another file.
      if isOutermost, isOpen { publishReopened() }
    }
    return try seats.whileClosed(orThrow: { $0 as any Error }) {
      openFiles?.forget()
      return try body(files)
    }
  }
}
