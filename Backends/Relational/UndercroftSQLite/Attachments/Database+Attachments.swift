import CSQLite
public import UndercroftCore
public import UndercroftFoundation

extension Database {
  /// Attaches another database file to every connection, so that reads and writes can also use the
  /// tables of that file: `SELECT … FROM archive.book`.
  ///
  /// Waits for all reads and writes to end, because all connections to the file are opened again.
  /// Databases that are always needed can be declared in ``DatabaseOptions/attachments``. A write
  /// is atomic in each file separately: if the machine fails during a commit, one file can contain
  /// the write while another file does not contain it.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write, for a name that is in use, and
  ///   for a file that is already part of the database; ``StorageError/Code/locked`` if a read or
  ///   write does not end in time.
  public func attach(_ url: URL, as name: String) throws(StorageError) {
    let attachment = Database.Attachment(url, as: name)
    guard location != nil else {
      try outsideTransaction("attach \(quoted(name))") { (connection) throws(StorageError) in
        try connection.attach(attachment, options.durability)
        attachments.all.append(attachment)
      }
      return publishReopened()
    }
    try change { $0.append(attachment) }
  }

  /// Detaches a database from every connection.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write, and if no database with this
  ///   name is attached; ``StorageError/Code/locked`` if a read or write does not end in time.
  public func detach(_ name: String) throws(StorageError) {
    guard attachments.all.contains(where: { sqlite3_stricmp($0.name, name) == 0 }) else {
      throw .sqliteMisuse(
        """
        cannot detach \(quoted(name)) from \(pool.databaseName): no attached database has this name
        """,
        suggestion: """
          pass a name that was passed to database.attach(_:as:) or is in \
          DatabaseOptions.attachments
          """)
    }
    guard location != nil else {
      try outsideTransaction("detach \(quoted(name))") { (connection) throws(StorageError) in
        try connection.detach(name)
        attachments.all.removeAll { sqlite3_stricmp($0.name, name) == 0 }
      }
      return publishReopened()
    }
    try change { $0.removeAll { sqlite3_stricmp($0.name, name) == 0 } }
  }

  /// Runs `body` on the only connection of an in-memory database, outside of any transaction.
  ///
  /// - Parameters:
  ///   - action: the action of `body` for the error message, such as `attach "archive"`.
  ///   - body: the work on the connection.
  private func outsideTransaction(
    _ action: String, _ body: (Connection) throws(StorageError) -> Void
  ) throws(StorageError) {
    try withWriter { (connection) throws(StorageError) in
      if connection.isInTransaction {
        throw ConnectionPool.insideTransaction(action)
      }
      try body(connection)
    }
  }

  /// Closes all connections, and edits the list of databases that new connections attach.
  ///
  /// If a trial connection cannot attach the edited list, restores the old list and throws.
  private func change(_ edit: (inout [Database.Attachment]) -> Void) throws(StorageError) {
    guard !pool.isClosed, let location else { throw ConnectionPool.closed(pool.path) }
    if pool.isInside, !pool.isOpen { throw pool.heldClosed }
    let isOutermost = !pool.isInside
    defer { if isOutermost, isOpen { publishReopened() } }
    let lease = try pool.closeTemporarily()
    defer { lease.release() }
    openFiles?.forget()
    let before = attachments.all
    edit(&attachments.all)
    do throws(StorageError) {
      _ = try SQLiteHandle.opening(
        location, attachments.added(to: options).withoutConnectionClosures)
    } catch {
      attachments.all = before
      throw error
    }
  }
}
