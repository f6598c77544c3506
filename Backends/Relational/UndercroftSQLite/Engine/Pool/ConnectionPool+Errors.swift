import UndercroftCore

extension ConnectionPool {
  static var writeInRead: StorageError {
    .sqliteMisuse(
      "cannot write: this thread is inside a read of the same database",
      suggestion: "write after the read has ended, or read and write in one write { db in … }")
  }

  static var inSetUp: StorageError {
    .sqliteMisuse(
      "cannot use the database: this thread is still opening a connection to the database",
      suggestion:
        "in DatabaseOptions.setUp, use the connection that the closure receives, not the database")
  }

  static func insideTransaction(_ action: String) -> StorageError {
    .sqliteMisuse(
      "cannot \(action): this thread has an open transaction",
      suggestion: "repeat the call after the transaction has ended")
  }

  static var closeInside: StorageError {
    .sqliteMisuse(
      """
      cannot close the connections of the database: this thread is inside a read or write of the \
      same database
      """,
      suggestion: "repeat the call after the read or write has ended")
  }

  static var closed: StorageError {
    .sqliteMisuse(
      "cannot use the database: the database has been closed", suggestion: "open the database again"
    )
  }

  static var heldClosed: StorageError {
    .sqliteMisuse(
      "cannot use the database: this thread is inside whileClosed { files in … }",
      suggestion: "use the database after the closure of whileClosed has returned")
  }

  var closedTemporarily: StorageError {
    timeoutError(
      "another thread is still inside whileClosed { files in … }",
      suggestion: """
        do less in the closure of whileClosed, or open the database with a longer \
        DatabaseOptions.lockTimeout
        """)
  }

  var writerInUse: StorageError {
    timeoutError(
      "another thread is still writing",
      suggestion:
        "make writes shorter, or open the database with a longer DatabaseOptions.lockTimeout")
  }

  var connectionInUse: StorageError {
    timeoutError(
      """
      another thread is still reading or writing, and an in-memory database has a single connection
      """,
      suggestion: """
        make reads and writes shorter, set a longer DatabaseOptions.lockTimeout, or use a database \
        file
        """)
  }

  var tooManyReaders: StorageError {
    timeoutError(
      "all connections for reading are still in use",
      suggestion:
        "make reads shorter, or open the database with a larger DatabaseOptions.readerCount")
  }

  /// The error for a read without locks during which another process changed the file.
  ///
  /// A file in a folder without write permission is read without locks, so the result may mix pages
  /// of two versions.
  var changedDuringRead: StorageError {
    StorageError(
      .locked,
      """
      cannot read \(quoted(path ?? "")): another process changed the file during the read, which \
      held no lock because the folder is not writable
      """,
      suggestion: "repeat the read, or make the folder writable and open the database again",
      backend: SQLiteBackend.name)
  }

  private func timeoutError(_ reason: String, suggestion: String) -> StorageError {
    let subject =
      path.map { "cannot begin a read or write of \(quoted($0))" } ?? "cannot begin a read or write"
    return StorageError(
      .locked, "\(subject): \(reason)", suggestion: suggestion, backend: SQLiteBackend.name)
  }
}
