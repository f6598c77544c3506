import CSQLite
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteHandle {
  /// Lends the connection.
  func connection(mayWrite: Bool) -> Connection {
    Connection(raw: raw, state: state, mayWrite: mayWrite)
  }

  /// Opens a file for an application: made if it is missing and may be written, configured, and checked to be a database.
  ///
  /// - Parameter interruption: ends the wait for another process early when it is cancelled.
  static func opening(
    _ url: URL, _ options: DatabaseOptions, _ interruption: Interruption? = nil
  ) throws(StorageError) -> SQLiteHandle {
    let path = try DatabaseFile.path(of: url)
    let deadline = ContinuousClock.now + options.lockTimeout
    while true {
      // Each time, as another process may have removed it meanwhile.
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
        // Switching to the write-ahead log does not wait for its turn by itself.
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
      // Another process may have replaced the file while this connection waited for its lock. To write would put a journal beside the
      // new file, which SQLite would take for the journal of that.
      if handle.hasMoved { throw replacedAtOpening }
      if handle.isReadOnly { return handle }
      try handle.inspect(options)
      try handle.connection(mayWrite: true).configureWriting(options.durability)
      return handle
    } catch  where handle.isReadOnly && DatabaseFile.isStill(path) && error.code != .corrupted {
      let fingerprint = FileFingerprint(path)
      let still = try SQLiteHandle(path, .immutable)
      still.state.immutableFile = fingerprint
      try still.connection(mayWrite: false).configure(nil)
      return still
    }
  }

  static var replacedAtOpening: StorageError {
    StorageError(
      .locked, "cannot use the file: another process replaced or removed it meanwhile",
      cure: "open it again", backend: SQLiteBackend.name)
  }

  /// Opens a file for writing, or for reading if it may not be written.
  ///
  /// SQLite opens a file for reading after any failure to open it for writing, also after one that passes, such as too many open files. The
  /// database would then refuse every write until it is opened again.
  private static func writable(
    _ path: String, lockTimeout: Duration, _ interruption: Interruption?
  ) throws(StorageError) -> SQLiteHandle {
    for pause: UInt32 in [1_000, 10_000, 100_000, 0] {
      let handle = try SQLiteHandle(path, .readWrite, lockTimeout: lockTimeout, interruption)
      if !handle.isReadOnly || access(path, W_OK) != 0 { return handle }
      if pause > 0 { usleep(pause) }
    }
    throw StorageError(
      .unavailable,
      "cannot open \(quoted(path)) for writing: the system refused it, although the file may be written",
      cure: "close other files and open it again, or open it with DatabaseOptions.isReadOnly",
      backend: SQLiteBackend.name)
  }

  /// Lets a file be looked at that the write-ahead log would change.
  private func inspect(_ options: DatabaseOptions) throws(StorageError) {
    guard let inspect = options.inspect else { return }
    let connection = connection(mayWrite: false)
    if try connection.journalMode() == .writeAheadLog { return }
    do {
      try connection.transaction(orThrow: { $0 as any Error }, inspect)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .unavailable, "cannot look at the database: \(error)", backend: SQLiteBackend.name,
        underlying: error)
    }
  }

  /// Opens another connection to a file that is open for writing.
  ///
  /// - Parameters:
  ///   - mayMake: whether a file that is missing is made.
  ///   - interruption: ends the wait for another process early when it is cancelled.
  static func reading(
    _ url: URL, _ options: DatabaseOptions, mayMake: Bool, _ interruption: Interruption?
  ) throws(StorageError) -> SQLiteHandle {
    let path = try DatabaseFile.path(of: url)
    do throws(StorageError) {
      // Whoever held the database closed may have moved the file away, or put one without a write-ahead log there.
      if mayMake, !DatabaseFile.exists(path) {
        _ = try opening(url, options.withoutClosures, interruption)
      }
      try DatabaseFile.require(path)
      let handle = try SQLiteHandle(
        path, .readOnly, lockTimeout: options.lockTimeout, interruption)
      try handle.connection(mayWrite: false).configure(nil)
      if try handle.connection(mayWrite: false).journalMode() != .writeAheadLog {
        _ = try opening(url, options.withoutClosures, interruption)
      }
      try handle.setUp(options, mayWrite: false)
      return handle
    } catch {
      throw error.about(path)
    }
  }

  /// Lets the caller's options have the new connection; whatever they throw is told as a failure to open.
  func setUp(_ options: DatabaseOptions, mayWrite: Bool) throws(StorageError) {
    // Negative: in KiB, and not in pages.
    let cacheSize = max(0, options.pageCacheByteCount) / 1_024
    try Statement("PRAGMA cache_size = -\(cacheSize)", on: raw).run()
    trace(options)
    for attachment in options.attachments {
      try connection(mayWrite: mayWrite).attach(attachment, options.durability)
    }
    try limitValues(options.maximumValueByteCount)
    guard let setUp = options.setUp else { return }
    do {
      try state.settingUp { try setUp(connection(mayWrite: mayWrite)) }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(
        .unavailable, "cannot set up a connection: \(error)",
        cure: "mend what DatabaseOptions.setUp does", backend: SQLiteBackend.name,
        underlying: error)
    }
  }

  /// The schema is kept in rows as well: what it needs, now and most likely ever, is left to it.
  private func limitValues(_ limit: Int?) throws(StorageError) {
    guard let limit else { return }
    var needed: Int64 = 1_000_000
    for database in try connection(mayWrite: false).databases() {
      let schema = database.name.asName
      let longest = try Statement(
        "SELECT max(length(CAST(sql AS BLOB)) + 2 * length(CAST(name AS BLOB))) FROM \(schema).sqlite_schema",
        on: raw)
      guard try longest.step() else { continue }
      let count: Int64? = try Row(statement: longest.raw)[0]
      // The row has some more to it.
      needed = max(needed, 2 * (count ?? 0))
    }
    sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, Int32(clamping: max(needed, Int64(limit))))
  }
}

extension Connection {
  /// Sets what SQLite forgets with every connection, and finds out whether the file is a database.
  ///
  /// - Parameter durability: `nil` leaves everything about writing alone.
  func configure(_ durability: Durability?) throws(StorageError) {
    try set("PRAGMA foreign_keys = ON")
    // A schema from elsewhere may use what SQLite brings, full-text tables in triggers among it; the application's functions are kept from it
    // one by one (`FunctionSignature`). Its pages are looked at when they are used: to look at each cell of a page as it comes in
    // (`cell_size_check`) costs a read by key an eighth of its time, and integrityCheck() does it.
    try set("PRAGMA trusted_schema = ON")
    try set("SELECT count(*) FROM sqlite_schema")
    CJKTokenizer.add(to: raw)
    CaseFolding.add(to: raw)
    if let durability { try configureWriting(durability) }
  }

  fileprivate func configureWriting(_ durability: Durability) throws(StorageError) {
    try set("PRAGMA journal_mode = WAL")
    // A log that has grown is cut to this when it begins anew; 16 MiB.
    try set("PRAGMA journal_size_limit = 16777216")
    for pragma in durability.pragmas() { try set(pragma) }
    // Debian's default overwrites what is deleted at the price of further pages; this one does where it is free.
    try set("PRAGMA secure_delete = FAST")
    if durability == .powerLoss { try flushNameOfLog() }
  }

  /// Flushes the folder in which SQLite has just made the write-ahead log, or a process that has died.
  ///
  /// SQLite flushes the folder with the first commit, but ignores a failure (`unixSync`): transactions
  /// that a power failure would remove with the name of the log would be acknowledged.
  ///
  /// - Parameter name: the name of an attached database, or "main".
  func flushNameOfLog(of name: String = "main") throws(StorageError) {
    guard let path = sqlite3_db_filename(raw, name).map({ String(cString: $0) }), !path.isEmpty
    else { return }
    // Reading makes the log, if it is not there.
    try set("SELECT count(*) FROM \(name.asName).sqlite_schema")
    do throws(StorageError) {
      try Folder.synchronize(Folder.parent(of: path))
    } catch  where error.code == .accessDenied {
      // A folder that may be searched but not read cannot be opened, so that no process can flush it.
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  private func set(_ sql: String) throws(StorageError) {
    // Not from the cache: none of them comes again.
    do throws(StorageError) {
      let statement = try Statement(sql, on: raw)
      try statement.run()
    } catch  where error.code == .unavailable {
      // Where SQLite can only say that a file beside the database could not be opened.
      let number = sqlite3_system_errno(raw)
      guard number == EMFILE || number == ENFILE else { throw error }
      throw .system("open the files of", databasePath, number: number)
        .naming(backend: SQLiteBackend.name)
    }
  }

  private var databasePath: String {
    sqlite3_db_filename(raw, "main").map { String(cString: $0) } ?? ""
  }
}
