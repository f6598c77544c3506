public import UndercroftCore
public import UndercroftFoundation

extension Database {
  /// Rebuilds the database file without its free pages, so that the file becomes as small as
  /// possible. (`VACUUM`)
  ///
  /// The call blocks writers until it ends, and needs free disk space of up to twice the size of
  /// the database, for a temporary copy and for the journal.
  ///
  /// - Parameter name: "main", or the name of an attached database.
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write. ``StorageError/Code/full`` if
  ///   the disk space is not sufficient; in this case, nothing is changed.
  public func vacuum(_ name: String = "main") throws(StorageError) {
    try withWriter { (connection) throws(StorageError) in
      if connection.isInTransaction {
        throw ConnectionPool.insideTransaction("vacuum \(quoted(name)) in \(pool.databaseName)")
      }
      try connection.require(database: name)
      // SQLite inserts the name without quoting into an internal statement.
      guard !name.utf8.contains(UInt8(ascii: "'")) else {
        throw .sqliteMisuse(
          """
          cannot vacuum the attached database \(quoted(name)): SQLite does not support VACUUM for \
          a name with an apostrophe
          """,
          suggestion: "attach the database under a name without an apostrophe")
      }
      try Statement("VACUUM \(name.quotedIdentifier)", on: connection.state.raw).run()
    }
  }

  /// Writes a copy of the database without free pages to the file at `url`. (`VACUUM INTO`)
  ///
  /// An existing database at `url` is replaced as a whole, or remains unchanged if the copy fails.
  ///
  /// The copy is smaller than a copy that ``backUp(to:pagesAtATime:progress:)`` creates, but needs
  /// more time.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write,
  ///   and if `url` is the database's own file.
  public func vacuum(into url: URL) throws(StorageError) {
    let path = try target(url, to: "vacuum into")
    try pool.withConnection(.read) { (connection) throws(StorageError) in
      if connection.isInTransaction {
        throw .sqliteMisuse(
          """
          cannot vacuum \(pool.databaseName) into \(quoted(path)): this thread is inside a read or \
          write of \(pool.databaseName)
          """,
          suggestion: """
            repeat the call after the read or write has ended, or, inside a read, call backUp(to:) \
            instead
            """)
      }
      let target = try DatabaseTarget(at: path, lockTimeout: options.lockTimeout)
      do {
        let statement = try Statement("VACUUM main INTO ?", on: connection.state.raw)
        try statement.bind(SQLiteHandle.plain(target.temporary), at: 1)
        try statement.run()
      }
      try target.commit()
    }
  }
}
