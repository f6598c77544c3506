import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension SQLiteHandle {
  /// Returns a ``Connection`` that is valid during the present use of this handle, and that accepts
  /// writing statements only if `mayWrite` is `true`.
  func connection(mayWrite: Bool) -> Connection { state.connection(mayWrite: mayWrite) }

  /// Opens a file for an application, and configures the connection.
  ///
  /// Creates a missing file if the options allow it, and checks that the file is a database.
  ///
  /// - Parameter interruption: if it is cancelled, the wait for another process ends early.
  static func opening(
    _ url: URL, _ options: DatabaseOptions, _ interruption: Interruption? = nil
  ) throws(StorageError) -> SQLiteHandle {
    let path = try DatabaseFile.path(of: url)
    let deadline = ContinuousClock.now + options.lockTimeout
    while true {
      // This check is made at each attempt, because another process may have removed the file.
      if options.isReadOnly {
        try DatabaseFile.require(path)
      } else {
        try DatabaseFile.create(path)
      }
      do throws(StorageError) {
        let handle = try configured(path, options, interruption)
        try handle.setUp(options, mayWrite: !handle.isReadOnly)
        return handle
      } catch
        where error.code == .locked && ContinuousClock.now < deadline
        && interruption?.isCancelled != true
      {
        // SQLite does not wait for the lock when it switches to the write-ahead log.
        usleep(5_000)
      } catch {
        throw error.about(path)
      }
    }
  }

  private static func configured(
    _ path: String, _ options: DatabaseOptions, _ interruption: Interruption?
  ) throws(StorageError) -> SQLiteHandle {
    let handle =
      try options.isReadOnly
      ? SQLiteHandle(path, .readOnly, lockTimeout: options.lockTimeout, interruption)
      : writable(path, lockTimeout: options.lockTimeout, interruption)
    do throws(StorageError) {
      try handle.connection(mayWrite: true).configure(nil)
      // Another process may have replaced the file while this connection waited for its lock. A
      // write would create a journal beside the new file, and SQLite would use that journal for the
      // new file.
      if handle.hasMoved { throw replacedAtOpening(path) }
      if handle.isReadOnly { return handle }
      try handle.inspect(options)
      try handle.connection(mayWrite: true).configureWriting(options.durability)
      return handle
    } catch
      where handle.isReadOnly && DatabaseFile.isReadableWithoutLocks(path)
      && error.code != .corrupted
    {
      let fingerprint = FileFingerprint(path)
      let immutable = try SQLiteHandle(path, .immutable)
      immutable.state.immutableFile = fingerprint
      try immutable.connection(mayWrite: false).configure(nil)
      return immutable
    }
  }

  static func replacedAtOpening(_ path: String) -> StorageError {
    StorageError(
      .locked,
      """
      cannot use \(quoted(path)): the file was replaced, moved or removed while it was being \
      opened
      """,
      suggestion: "repeat the call when no other process replaces, moves or removes the file",
      backend: SQLiteBackend.name)
  }

  /// Opens a file for writing, or for reading if there is no permission to write it.
  ///
  /// SQLite opens a file for reading after any failure to open it for writing, including temporary
  /// failures such as too many open files. The database would then refuse every write until it is
  /// opened again. This function therefore tries several times, with pauses of 1, 10 and 100 ms.
  static func writable(
    _ path: String, lockTimeout: Duration = .seconds(5), _ interruption: Interruption? = nil
  ) throws(StorageError) -> SQLiteHandle {
    for pause: UInt32 in [1_000, 10_000, 100_000, 0] {
      let handle = try SQLiteHandle(path, .readWrite, lockTimeout: lockTimeout, interruption)
      if !handle.isReadOnly || access(path, W_OK) != 0 { return handle }
      if pause > 0 { usleep(pause) }
    }
    throw StorageError(
      .unavailable,
      """
      cannot open \(quoted(path)) for writing: SQLite could open the file only for reading, \
      although the permissions of the file allow writing
      """,
      suggestion: """
        make sure that the volume is writable and that the process has not reached its limit of \
        open files, or set DatabaseOptions.isReadOnly
        """,
      backend: SQLiteBackend.name)
  }

  /// Runs ``DatabasePreparer/inspect(_:)`` on a file whose journal is not yet a write-ahead log.
  private func inspect(_ options: DatabaseOptions) throws(StorageError) {
    guard let preparer = options.preparer else { return }
    let connection = connection(mayWrite: false)
    if try connection.journalMode() == .writeAheadLog { return }
    defer { state.endHandles() }
    do {
      try connection.transaction(lock: .deferred, preparer.inspect)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .unavailable,
        """
        cannot inspect the schema of \(state.databaseName): DatabaseOptions.migrator threw an \
        error: \(error)
        """,
        suggestion: "fix the cause of this error, and open the database again",
        backend: SQLiteBackend.name, underlying: error)
    }
  }

  /// Opens a reader for a file that is already open for writing.
  ///
  /// - Parameters:
  ///   - mayMake: whether a missing file is created.
  ///   - interruption: if it is cancelled, the wait for another process ends early.
  static func reading(
    _ url: URL, _ options: DatabaseOptions, mayMake: Bool, _ interruption: Interruption?
  ) throws(StorageError) -> SQLiteHandle {
    let path = try DatabaseFile.path(of: url)
    do throws(StorageError) {
      // While the database was held closed, the file may have been moved away, or replaced by one
      // without a write-ahead log.
      if mayMake, !DatabaseFile.exists(path) {
        _ = try opening(url, options.withoutConnectionClosures, interruption)
      }
      try DatabaseFile.require(path)
      let handle = try SQLiteHandle(
        path, .readOnly, lockTimeout: options.lockTimeout, interruption)
      try handle.connection(mayWrite: false).configure(nil)
      if try handle.connection(mayWrite: false).journalMode() != .writeAheadLog {
        _ = try opening(url, options.withoutConnectionClosures, interruption)
      }
      try handle.setUp(options, mayWrite: false)
      return handle
    } catch {
      throw error.about(path)
    }
  }

  /// Applies the caller's options to the new connection, and runs ``DatabaseOptions/setUp``.
  ///
  /// - Throws: a ``StorageError`` that the closure throws, unchanged;
  ///   ``StorageError/Code/unavailable`` for any other error that the closure throws.
  func setUp(_ options: DatabaseOptions, mayWrite: Bool) throws(StorageError) {
    // A negative value is a size in KiB, a positive one a number of pages.
    let cacheSize = max(0, options.pageCacheByteCount) / 1_024
    try Statement("PRAGMA cache_size = -\(cacheSize)", on: raw).run()
    trace(options)
    for attachment in options.attachments {
      try connection(mayWrite: mayWrite).attach(attachment, options.durability)
    }
    try limitValues(options.maximumValueByteCount)
    guard let setUp = options.setUp else { return }
    defer { state.endHandles() }
    do {
      try state.settingUp { try setUp(connection(mayWrite: mayWrite)) }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .unavailable,
        """
        cannot set up a connection to \(state.databaseName): DatabaseOptions.setUp threw an error: \
        \(error)
        """,
        suggestion: "fix the cause of this error, or the closure DatabaseOptions.setUp",
        backend: SQLiteBackend.name, underlying: error)
    }
  }

  /// Limits the size in bytes of each value and row to `limit`, or does nothing if `limit` is
  /// `nil`.
  ///
  /// The effective limit is at least 1 MB, and leaves room for the rows in which SQLite stores the
  /// schema.
  private func limitValues(_ limit: Int?) throws(StorageError) {
    guard let limit else { return }
    var needed: Int64 = 1_000_000
    for database in try connection(mayWrite: false).databases() {
      let schema = database.name.quotedIdentifier
      let maximumQuery = try Statement(
        "SELECT max(length(CAST(sql AS BLOB)) + 2 * length(CAST(name AS BLOB))) FROM \(schema).sqlite_schema",
        on: raw)
      guard try maximumQuery.step() else { continue }
      let count: Int64? = try Row(statement: maximumQuery.raw)[0]
      // Twice the size, because the row has further columns and the schema may grow.
      needed = max(needed, 2 * (count ?? 0))
    }
    sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Int32(clamping: max(needed, Int64(limit))))
  }
}

extension Connection {
  /// Configures the connection, and checks that the file is a database.
  ///
  /// Each connection needs these settings, because SQLite does not store them in the file.
  ///
  /// - Parameter durability: the durability of commits, or `nil` to leave out all settings for
  ///   writing.
  func configure(_ durability: Durability?) throws(StorageError) {
    try set("PRAGMA foreign_keys = ON")
    // A schema from an untrusted source may use functions and tables that are part of SQLite, such
    // as full-text tables in triggers. The access of such a schema to functions of the application
    // is controlled for each function (`FunctionSignature`). A page is checked when it is used.
    // Checking each cell when a page is read (`cell_size_check`) takes an eighth of the time of a
    // read by key, and integrityCheck() makes the same check.
    try set("PRAGMA trusted_schema = ON")
    try set("SELECT count(*) FROM sqlite_schema")
    let raw = try state.raw
    CJKTokenizer.add(to: raw)
    CaseFolding.add(to: raw)
    if let durability { try configureWriting(durability) }
  }

  fileprivate func configureWriting(_ durability: Durability) throws(StorageError) {
    try set("PRAGMA journal_mode = WAL")
    // A long log is truncated to this size, 16 MiB, when it restarts.
    try set("PRAGMA journal_size_limit = 16777216")
    for pragma in durability.pragmas() { try set(pragma) }
    // Debian's default overwrites deleted content, at the cost of writing further pages. This
    // setting overwrites deleted content only if that costs no further writes.
    try set("PRAGMA secure_delete = FAST")
    if durability == .powerLoss { try flushFolderOfLog() }
  }

  /// Flushes the folder of the write-ahead log, because SQLite or a process that has died may have
  /// just created the log.
  ///
  /// SQLite flushes the folder with the first commit, but ignores a failure (`unixSync`). SQLite
  /// would then acknowledge transactions that a power failure would remove together with the name
  /// of the log.
  ///
  /// - Parameter name: the name of an attached database, or "main".
  func flushFolderOfLog(of name: String = "main") throws(StorageError) {
    let raw = try state.raw
    guard let path = sqlite3_db_filename(raw, name).map({ String(cString: $0) }), !path.isEmpty
    else { return }
    // Reading creates the log if there is none.
    try set("SELECT count(*) FROM \(name.quotedIdentifier).sqlite_schema")
    do throws(StorageError) {
      try Folder.synchronize(Folder.parent(of: path))
    } catch  where error.code == .accessDenied {
      // A folder with search but without read permission cannot be opened, so no process can flush
      // it.
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  private func set(_ sql: String) throws(StorageError) {
    let raw = try state.raw
    // Bypasses the statement cache, because none of these statements is used again.
    do throws(StorageError) {
      let statement = try Statement(sql, on: raw)
      try statement.run()
    } catch {
      throw error.explainingRefusedFile
    }
  }
}
