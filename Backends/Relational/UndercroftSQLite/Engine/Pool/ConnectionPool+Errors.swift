import UndercroftCore

extension ConnectionPool {
  static var writeInRead: StorageError {
    .sqliteMisuse(
      "cannot write: this thread is inside a read of the same database",
      suggestion: "end the read first, or do both in one write")
  }

  static var inSetUp: StorageError {
    .sqliteMisuse(
      "cannot use the database: this thread is still opening the connection that it needs",
      suggestion:
        "in DatabaseOptions.setUp, use the connection that the closure receives, not the database")
  }

  static var insideTransaction: StorageError {
    .sqliteMisuse(
      "cannot write outside of a transaction: this thread is inside a write of the same database",
      suggestion: "end the write first")
  }

  static var closeInside: StorageError {
    .sqliteMisuse(
      "cannot close the connections for this operation: this thread is inside a read or write of the same database",
      suggestion: "call this function after the read or write")
  }

  static var closed: StorageError {
    .sqliteMisuse("cannot use the database: it has been closed", suggestion: "open it again")
  }

  static var heldClosed: StorageError {
    .sqliteMisuse(
      "cannot use the database: this thread is inside whileClosed",
      suggestion: "use the database after whileClosed has returned")
  }

  var closedTemporarily: StorageError {
    timeoutError(
      "another thread still holds the database closed",
      suggestion:
        "make the closure of whileClosed shorter, or open the database with a longer lock timeout")
  }

  var writerInUse: StorageError {
    timeoutError(
      "another thread is still writing",
      suggestion: "make that write shorter, or open the database with a longer lock timeout")
  }

  var connectionInUse: StorageError {
    timeoutError(
      "another thread is still reading or writing, and an in-memory database has a single connection",
      suggestion: "make that read or write shorter, open with a longer lock timeout, or use a file")
  }

  var tooManyReaders: StorageError {
    timeoutError(
      "all readers are still in use",
      suggestion: "make reads shorter, or open the database with more readers")
  }

  /// The error for a read without locks during which another process changed the file.
  ///
  /// A file in a folder without write permission is read without locks, so the result may mix pages
  /// of two versions.
  var changedMeanwhile: StorageError {
    StorageError(
      .locked,
      "cannot read \(quoted(path ?? "")): another process changed the file during the read, and the folder does not permit lock files",
      suggestion: "read again", backend: SQLiteBackend.name)
  }

  private func timeoutError(_ reason: String, suggestion: String) -> StorageError {
    let subject = path.map { "cannot begin on \(quoted($0))" } ?? "cannot begin"
    return StorageError(
      .locked, "\(subject): \(reason)", suggestion: suggestion, backend: SQLiteBackend.name)
  }
}
