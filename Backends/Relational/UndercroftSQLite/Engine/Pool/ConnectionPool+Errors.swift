import UndercroftCore

extension ConnectionPool {
  /// The database in error messages: its quoted path, or "the in-memory database".
  var databaseName: String { Self.databaseName(path) }

  private static func databaseName(_ path: String?) -> String {
    path.map { quoted($0) } ?? "the in-memory database"
  }

  var writeInRead: StorageError {
    .sqliteMisuse(
      "cannot write to \(databaseName): this thread is inside a read of the same database",
      suggestion: "write after the read has ended, or read and write in one write { db in … }")
  }

  static func inSetUp(_ path: String?) -> StorageError {
    .sqliteMisuse(
      """
      cannot use \(databaseName(path)): this thread is still opening a connection to the database
      """,
      suggestion:
        "in DatabaseOptions.setUp, use the connection that the closure receives, not the database")
  }

  static func insideTransaction(_ action: String) -> StorageError {
    .sqliteMisuse(
      "cannot \(action): this thread has an open transaction",
      suggestion: "repeat the call after the transaction has ended")
  }

  var closeInside: StorageError {
    .sqliteMisuse(
      """
      cannot close the connections to \(databaseName): this thread is inside a read or write of \
      the same database
      """,
      suggestion: "repeat the call after the read or write has ended")
  }

  static func closed(_ path: String?) -> StorageError {
    .sqliteMisuse(
      "cannot use \(databaseName(path)): the Database object has been closed",
      suggestion: "create a new Database object, and call close() only after the last use")
  }

  var heldClosed: StorageError {
    .sqliteMisuse(
      "cannot use \(databaseName): this thread is inside whileClosed { files in … }",
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
      cannot read \(databaseName): the file was changed during the read, which SQLite cannot \
      prevent if the folder of the file is not writable
      """,
      suggestion: "repeat the read, or make the folder writable and open the database again",
      backend: SQLiteBackend.name)
  }

  private func timeoutError(_ reason: String, suggestion: String) -> StorageError {
    StorageError(
      .locked, "cannot begin a read or write of \(databaseName): \(reason)",
      suggestion: suggestion, backend: SQLiteBackend.name)
  }
}
