public import UndercroftCore

extension SQLiteBackend: TransactionalBackend {
  package var isInsideTransaction: Bool { database.pool.isInside }

  package var hasOpenTransaction: Bool {
    guard database.pool.isInside else { return false }
    // While the thread is opening its connection, or holds the database closed, there is no
    // transaction.
    let isOpen = try? database.pool.withConnection(.read) {
      (connection) throws(StorageError) in connection.isInTransaction
    }
    return isOpen ?? false
  }

  package func afterTransaction(
    _ action: @escaping @Sendable (_ isCommitted: Bool) -> Void
  ) -> Bool {
    guard database.pool.isWritingOnCurrentThread else { return false }
    let isInTransaction = try? database.pool.withConnection(.write) {
      (connection) throws(StorageError) in
      guard connection.isInTransaction else { return false }
      try connection.state.endActions.append(.action(action))
      return true
    }
    return isInTransaction ?? false
  }

  package func afterUse(_ action: @escaping @Sendable () -> Void) -> Bool {
    guard database.pool.isWritingOnCurrentThread else { return false }
    let isInside = try? database.pool.withConnection(.write) {
      (connection) throws(StorageError) in
      try connection.state.actionsAfterUse.append(action)
      return true
    }
    return isInside ?? false
  }

  package func withWriter(
    _ writer: AnyObject, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    guard database.pool.isWritingOnCurrentThread else { return try body() }
    try database.pool.withConnection(.write) { (connection) throws(StorageError) in
      let state = try connection.state
      let outer = state.entryWrites.writer
      state.entryWrites.writer = writer
      defer { state.entryWrites.writer = outer }
      try body()
    }
  }

  package func addListener(_ listener: CommitListener) -> Registration {
    database.entryListeners.add(listener)
  }
}

extension SQLiteBackend: ExclusiveAccessBackend {
  /// Runs `body` in a ``Database/write(lock:from:_:)`` transaction, which acquires the write lock
  /// of the file before `body` runs. (`BEGIN IMMEDIATE`)
  ///
  /// If the database is open for reading only, runs `body` without a transaction.
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    if database.isReadOnly { return try body() }
    return try database.write { _ in try body() }
  }

  /// Runs `body` while this thread holds the writer, or without the writer if the database is open
  /// for reading only.
  ///
  /// Each write of `body` is a separate transaction.
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    if database.isReadOnly { return try body() }
    return try database.writing { _ in try body() }
  }
}
