import Synchronization
public import UndercroftCore
public import UndercroftFoundation

/// A SQLite database in a file or in memory, safe to use from any thread.
///
/// One thread writes while other threads read. A read sees the database as it was when the first
/// statement of the read ran.
///
/// ```swift
/// try database.write { db in try db.execute("INSERT INTO book(title) VALUES (\(title))") }
/// let titles = try database.read { db in
///   try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
/// }
/// ```
public final class Database: Sendable {
  /// The location of the file, or `nil` for an in-memory database.
  public let location: URL?

  /// Whether the database is open for reading only, because of its options or of the file's
  /// permissions.
  public let isReadOnly: Bool

  /// The identities of the open files, or `nil` for an in-memory database.
  let openFiles: OpenFiles?
  let pool: ConnectionPool
  /// The options with which the database is open.
  ///
  /// For a file, ``DatabaseOptions/prepare`` may have changed ``DatabaseOptions/isReadOnly``.
  package let options: DatabaseOptions
  /// The databases that are attached to this database now.
  let attachments: DatabaseAttachments
  let gate: RowGate
  /// The monitor of external changes, or `nil` before the first observer and after ``close()``.
  let externalChangeMonitor = Mutex<ExternalChangeMonitor?>(nil)
  /// The data version that was last read on the writer, or `nil` before the first read.
  ///
  /// Until `expiration`, ``SQLiteBackend/externalChangeCount()`` returns the number of this version
  /// without reading the data version again.
  let lastDataVersion = Mutex<(version: DataVersion, expiration: ContinuousClock.Instant)?>(nil)
  /// The semaphore that asynchronous reads acquire, so that a waiting task does not block a thread.
  let asyncReads: AsyncSemaphore
  let asyncWrites = AsyncSemaphore(1)
  let folders: FolderWatches
  let entryListeners = EntryListeners()

  /// Opens a database file, which is created if it is missing.
  ///
  /// Missing parent folders are created as well. New files and folders are accessible only to their
  /// owner. The journal is a write-ahead log (WAL), and foreign keys are enforced. A file without
  /// write permission is opened for reading only. With ``DatabaseOptions/isReadOnly``, a missing
  /// file is not created.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` for a file that is not a database, which remains
  ///   unchanged.
  public convenience init(
    at url: URL, _ options: DatabaseOptions = .init()
  ) throws(StorageError) {
    try self.init(prepared: url, try options.preparing(url))
  }

  /// Opens the file without calling ``DatabaseOptions/prepare`` and the function
  /// ``DatabasePreparer/prepare(_:)`` of ``DatabaseOptions/preparer``.
  init(prepared url: URL, _ options: DatabaseOptions) throws(StorageError) {
    let attachments = DatabaseAttachments(options.attachments)
    let openFiles = OpenFiles(url, attachments)
    let first = try openFiles.opening { (_) throws(StorageError) in try .opening(url, options) }
    let isReadOnly = first.isReadOnly
    let writerLock = EventuallyFairLock()
    let checkpointer = Checkpointer(
      writers: writerLock, lockTimeout: options.lockTimeout, path: url.path
    ) { () throws(StorageError) in
      // Without the caller's closures: if one of them released the last reference to the database
      // on the thread of the checkpointer, `deinit` would wait for that same thread.
      try openFiles.opening { (_) throws(StorageError) in
        try .opening(url, attachments.added(to: options).withoutConnectionClosures)
      }
    }
    checkpointer.installHook(on: first)
    let writer = PooledConnection(url.path) { (interruption) throws(StorageError) in
      let handle = try openFiles.opening { (_) throws(StorageError) in
        try .opening(url, attachments.added(to: options), interruption)
      }
      checkpointer.installHook(on: handle)
      return handle
    }
    writer.store(first)
    location = url
    self.openFiles = openFiles
    asyncReads = AsyncSemaphore(max(1, options.readerCount))
    gate = RowGate(usesHook: options.observesRows)
    self.isReadOnly = isReadOnly
    self.options = options
    self.attachments = attachments
    folders = FolderWatches(in: attachments, beside: url)
    pool = ConnectionPool(
      writer: writer, writerLock: writerLock, checkpointer: checkpointer,
      readers: ReaderPool(max(1, options.readerCount), path: url.path) {
        (interruption) throws(StorageError) in
        let options = attachments.added(to: options)
        return try openFiles.opening { (mayMake) throws(StorageError) in
          isReadOnly
            ? try .opening(url, options, interruption)
            : try .reading(url, options, mayMake: mayMake, interruption)
        }
      }, timeout: options.lockTimeout, path: url.path)
  }

  /// Creates an in-memory database, which is lost when the last reference to it is released.
  public static func inMemory(
    _ options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    try inMemory(
      holding: try SQLiteHandle("", .memory, lockTimeout: options.lockTimeout), options)
  }

  static func inMemory(
    holding handle: consuming SQLiteHandle, _ options: DatabaseOptions
  ) throws(StorageError) -> Database {
    try handle.connection(mayWrite: true).configure(.processDeath)
    do throws(StorageError) {
      try handle.setUp(options, mayWrite: true)
    } catch {
      throw error.about(":memory:")
    }
    let writer = PooledConnection(nil) { (_) throws(StorageError) in
      throw ConnectionPool.closed(nil)
    }
    writer.store(handle)
    let database = Database(
      ConnectionPool(
        writer: writer, writerLock: EventuallyFairLock(), checkpointer: nil, readers: nil,
        timeout: options.lockTimeout, path: nil), options)
    _ = try options.prepare(database)
    return database
  }

  private init(_ pool: ConnectionPool, _ options: DatabaseOptions) {
    location = nil
    openFiles = nil
    // Reads and writes wait for the same connection.
    asyncReads = asyncWrites
    gate = RowGate(usesHook: options.observesRows)
    isReadOnly = false
    self.pool = pool
    self.options = options
    attachments = DatabaseAttachments(options.attachments)
    // No other process can reach an in-memory database, so only its attachments are watched.
    folders = FolderWatches(in: attachments, beside: nil)
  }

  /// Runs `body` in a read transaction, which sees the database as it was when the first statement
  /// of `body` ran.
  ///
  /// Inside a write of this thread, `body` sees the changes of that write.
  ///
  /// - Throws: any error that `body` throws, unchanged; ``StorageError/Code/locked`` if all readers
  ///   remain in use until the lock timeout.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try reading { connection in try connection.transaction(lock: .deferred, body) }
  }

  /// Runs `body` on a connection for reading, without a transaction.
  ///
  /// If the database is in memory, or if this thread is inside a write, the connection is the
  /// writer. Otherwise, the connection is a reader.
  func reading<Result>(
    interruption: Interruption? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let lease = try pool.acquire(.read, interruption: interruption)
    defer { lease.release() }
    let result = try body(lease.connection)
    try lease.requireEnded()
    return result
  }

  /// Runs `body` in a transaction, which is committed if `body` returns and rolled back if it
  /// throws.
  ///
  /// Inside another write of this thread, `body` runs in a savepoint: if `body` throws, only the
  /// changes of `body` are undone; if the outer write throws, all changes are undone.
  ///
  /// - Parameters:
  ///   - lock: whether the transaction acquires the lock that excludes other writers when it begins
  ///     or at its first writing statement.
  ///   - origin: the origin of the changes, which observers receive. In nested writes, observers
  ///     receive the origin of the outermost write.
  ///   - body: a closure that changes the database through the connection that the closure
  ///     receives.
  /// - Throws: any error that `body` throws, unchanged; ``StorageError/Code/misuse`` inside a read
  ///   of this thread; ``StorageError/Code/locked`` if another thread or process holds the lock
  ///   until the lock timeout.
  @discardableResult
  public func write<Result>(
    lock: TransactionLock = .immediate, from origin: Origin = .application,
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try writing(from: origin) { connection in try connection.transaction(lock: lock, body) }
  }

  /// Runs `body` on the writer without a transaction, so that each statement commits by itself.
  ///
  /// Use this function for statements that SQLite refuses inside a transaction, such as `VACUUM`,
  /// and for several transactions, `db.transaction { db in … }`, without a write of another thread
  /// between them. If `body` disables foreign keys (`PRAGMA foreign_keys = OFF`), they are enforced
  /// again afterwards.
  ///
  /// - Throws: the errors that ``write(lock:from:_:)`` throws, and ``StorageError/Code/misuse``
  ///   inside a write.
  @discardableResult
  public func writeWithoutTransaction<Result>(
    from origin: Origin = .application, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try writeWithoutTransaction(from: origin, interruption: nil, body)
  }

  func writeWithoutTransaction<Result>(
    from origin: Origin, interruption: Interruption?,
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try writing(from: origin, isTransaction: false, interruption: interruption) { connection in
      if connection.isInTransaction {
        throw ConnectionPool.insideTransaction(
          "call writeWithoutTransaction { db in … } on \(pool.databaseName)")
      }
      return try connection.preservingForeignKeys(body)
    }
  }

  /// Runs `body` on the writer connection.
  ///
  /// Every write passes through this function or ``withWriter(_:)``.
  ///
  /// - Parameters:
  ///   - origin: the origin of the write, which observers receive.
  ///   - isTransaction: whether `body` begins a transaction before its first statement.
  ///   - interruption: if it is cancelled, the wait for the connection ends.
  ///   - body: the work on the connection.
  func writing<Result>(
    from origin: Origin = .application, isTransaction: Bool = true,
    interruption: Interruption? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let lease = try acquireWriter(
      from: origin, isTransaction: isTransaction, interruption: interruption)
    defer { lease.release() }
    let result = try body(lease.connection)
    try lease.requireEnded()
    return result
  }

  /// Runs `body` on the writer connection, for a `body` that throws only ``StorageError``.
  func withWriter<Result>(
    _ body: (Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let lease = try acquireWriter()
    defer { lease.release() }
    let result = try body(lease.connection)
    try lease.requireEnded()
    return result
  }

  private func acquireWriter(
    from origin: Origin = .application, isTransaction: Bool = true,
    interruption: Interruption? = nil
  ) throws(StorageError) -> WriteLease {
    if isReadOnly, pool.isOpen { throw readOnlyError }
    if pool.isInside { return WriteLease(nesting: try pool.acquire(.write), in: self) }
    var lease = WriteLease(
      outermost: try pool.acquire(.write, interruption: interruption), in: self, from: origin)
    do throws(StorageError) {
      // Changes to a file that was removed or replaced would be lost.
      try openFiles?.require()
      lease.begin(isTransaction: isTransaction)
      return lease
    } catch {
      lease.release()
      throw error
    }
  }

  private var readOnlyError: StorageError {
    StorageError(
      .accessDenied,
      "cannot write to \(pool.databaseName): the database is open read-only",
      suggestion: options.isReadOnly
        ? """
        if DatabaseOptions.isReadOnly is set, open the database without this option; if a failed \
        migration or DatabaseOptions.prepare allowed only reading, fix the cause and open the \
        database again
        """
        : "check the owner and mode of the file and of its folder, and open the database again",
      backend: SQLiteBackend.name)
  }
}
