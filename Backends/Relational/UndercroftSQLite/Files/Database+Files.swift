import UndercroftCore

extension Database {
  /// The files of the database, or `nil` for an in-memory database.
  public var files: DatabaseFiles? {
    location.flatMap { try? DatabaseFiles(at: $0) }
  }

  /// Whether the database accepts calls.
  ///
  /// The value is `false` after ``close()``, and while the closure of ``whileClosed(_:)`` runs.
  public var isOpen: Bool { pool.isOpen }

  /// Waits for all reads and writes to end, closes every connection, and runs `body`.
  ///
  /// Use this function to move, remove or replace the files. Reads and writes of other threads wait
  /// until `body` has ended, up to the lock timeout. Reads and writes of this database in `body`
  /// itself throw, but `body` can call this function again.
  ///
  /// Afterwards the database opens connections on demand, and notifies its observers that any data
  /// may have changed. A database that was closed permanently remains closed.
  ///
  /// - Throws: any error that `body` throws, unchanged; ``StorageError/Code/misuse`` inside a read
  ///   or write and for an in-memory database; ``StorageError/Code/locked`` if a read or write does
  ///   not end in time.
  public func whileClosed<Result>(
    _ body: (DatabaseFiles) throws -> Result
  ) throws -> Result {
    guard let location else {
      throw StorageError.sqliteMisuse(
        "cannot close an in-memory database temporarily: the data of the database would be lost",
        suggestion: "call whileClosed only on a database that is stored in a file")
    }
    let files = try DatabaseFiles(at: location)
    let isOutermost = !pool.isInside
    defer {
      // The closure may have replaced the file.
      if isOutermost, isOpen { publishReopened() }
    }
    let lease = try pool.closeTemporarily()
    defer { lease.release() }
    openFiles?.forget()
    return try body(files)
  }
}
