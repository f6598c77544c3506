package import UndercroftCore

extension SQLiteBackend: CheckpointingBackend {
  /// Moves the whole write-ahead log into the database file. (`SQLITE_CHECKPOINT_TRUNCATE`)
  ///
  /// SQLite also does this when the last connection is closed, but then reports no error.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another connection uses the log for longer than the
  ///   lock timeout.
  package func checkpoint() throws(StorageError) {
    guard try database.checkpoint(.truncate).isComplete else {
      throw StorageError(
        .locked,
        """
        cannot move the write-ahead log of \(database.pool.databaseName) into the database file: \
        another connection reads or writes
        """,
        suggestion: "repeat the call when no other connection uses the database", backend: name)
    }
  }
}
