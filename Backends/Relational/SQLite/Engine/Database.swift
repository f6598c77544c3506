import Synchronization
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A SQLite database, on disk or in memory; safe to use from any thread.
///
/// One thread writes while others read. A read sees the database as it was at its first statement.
///
/// ```swift
/// try database.write { db in try db.execute("INSERT INTO book(title) VALUES (\(title))") }
/// let titles = try database.read { db in
///   try db.query("SELECT title FROM book") { row in try row[0] as String }
/// }
/// ```
public final class Database: Sendable {
  /// The file, or `nil` for a database in memory.
  public let location: URL?

  /// Whether the file could be opened for reading only.
  public let isReadOnly: Bool

  /// Which files are open; `nil` in memory.
  let openFiles: OpenFiles?
  let seats: Seats
  /// As given when it was opened.
  package let options: DatabaseOptions
  /// The databases attached at present.
  let attachments: Attachments
  let gate: RowGate
  let outside = Mutex<OutsideWatch?>(nil)
  /// The version that was read last from the connection that writes.
  let lastDataVersion = Mutex<DataVersion?>(nil)
  /// The turns of asynchronous calls, which wait here before they need a thread.
  let asyncReads: AsyncTurns
  let asyncWrites = AsyncTurns(1)
  let folders: FolderWatches
  let entryListeners = EntryListeners()

  /// Opens the file, making it and missing folders above it if need be, readable by their owner alone.
  ///
  /// The journal is a write-ahead log and foreign keys are enforced. A file that may not be written is opened for reading; with
  /// ``DatabaseOptions/isReadOnly`` it is not even made.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` for a file that is no database; it stays as it is.
  public convenience init(
    at url: URL, _ options: DatabaseOptions = .init()
  ) throws(StorageError) {
    try self.init(prepared: url, try options.preparing(url))
  }

  /// Opens the file as it is.
  init(prepared url: URL, _ options: DatabaseOptions) throws(StorageError) {
    let attachments = Attachments(options.attachments)
    let openFiles = OpenFiles(url, attachments)
    let first = try openFiles.opening { (_) throws(StorageError) in try .opening(url, options) }
    let isReadOnly = first.isReadOnly
    let turn = TurnLock()
    let checkpointer = Checkpointer(writers: turn, lockTimeout: options.lockTimeout) {
      () throws(StorageError) in
      // The caller's closures might let go of the database there, which waits for that very thread.
      try openFiles.opening { (_) throws(StorageError) in
        try .opening(url, attachments.added(to: options).withoutClosures)
      }
    }
    checkpointer.attend(first)
    let writer = Seat { (interruption) throws(StorageError) in
      let handle = try openFiles.opening { (_) throws(StorageError) in
        try .opening(url, attachments.added(to: options), interruption)
      }
      checkpointer.attend(handle)
      return handle
    }
    writer.seat(first)
    location = url
    self.openFiles = openFiles
    asyncReads = AsyncTurns(max(1, options.readerCount))
    gate = RowGate(usesHook: options.observesRows)
    self.isReadOnly = isReadOnly
    self.options = options
    self.attachments = attachments
    folders = FolderWatches(in: attachments, beside: url)
    seats = Seats(
      writer: writer, turn: turn, checkpointer: checkpointer,
      readers: ReaderSeats(max(1, options.readerCount)) { (interruption) throws(StorageError) in
        let options = attachments.added(to: options)
        return try openFiles.opening { (mayMake) throws(StorageError) in
          isReadOnly
            ? try .opening(url, options, interruption)
            : try .reading(url, options, mayMake: mayMake, interruption)
        }
      }, timeout: options.lockTimeout, path: url.path)
  }

  /// Makes a database that is gone with the last reference to it.
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
    let writer = Seat { (_) throws(StorageError) in throw Seats.closed }
    writer.seat(handle)
    let database = Database(
      Seats(
        writer: writer, turn: TurnLock(), checkpointer: nil, readers: nil,
        timeout: options.lockTimeout, path: nil), options)
    _ = try options.prepare(database)
    return database
  }

  private init(_ seats: Seats, _ options: DatabaseOptions) {
    location = nil
    openFiles = nil
    asyncReads = AsyncTurns(1)
    gate = RowGate(usesHook: options.observesRows)
    isReadOnly = false
    self.seats = seats
    self.options = options
    attachments = Attachments(options.attachments)
    // Nobody else can reach the database itself.
    folders = FolderWatches(in: attachments, beside: nil)
  }

  /// Runs `body` on one unchanging view of the database, as of its first statement; inside a write, on what that has written.
  ///
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/locked`` when all readers stay in use for too long.
  public func read<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    try reading(orThrow: { $0 as any Error }) { connection in
      try connection.transaction(orThrow: { $0 as any Error }, body)
    }
  }

  /// Lends a connection to read from, without a transaction.
  func reading<Result, Failure: Error>(
    interruption: Interruption? = nil, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try seats.lend(.read, interruption: interruption, orThrow: wrap, body)
  }

  /// Runs `body` in one transaction: all of it is kept when `body` returns, nothing when it throws.
  ///
  /// Inside another write of this thread it is a part of that: what it did is undone alone when it throws, and together with the rest
  /// when that does.
  ///
  /// - Parameters:
  ///   - lock: what to take at the beginning of the transaction.
  ///   - origin: what observers are told about who it was; the outermost write's counts.
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/misuse`` inside a read of this thread, and
  ///   ``StorageError/Code/locked`` when another thread or process does not let go in time.
  @discardableResult
  public func write<Result>(
    _ lock: TransactionLock = .immediate, from origin: Origin = .application,
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try writing(from: origin, orThrow: { $0 as any Error }) { connection in
      try connection.transaction(lock, orThrow: { $0 as any Error }, body)
    }
  }

  /// Runs `body` on the connection that writes, each statement being a transaction by itself.
  ///
  /// For what SQLite refuses inside a transaction, such as `VACUUM`, and for several transactions with nobody between
  /// them: `db.transaction { db in … }`. If it switches foreign keys off (`PRAGMA foreign_keys = OFF`), they are enforced again afterwards.
  ///
  /// - Throws: as ``write(_:from:_:)``, and ``StorageError/Code/misuse`` inside a write.
  @discardableResult
  public func writeWithoutTransaction<Result>(
    from origin: Origin = .application, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try writeWithoutTransaction(from: origin, interruption: nil, body)
  }

  func writeWithoutTransaction<Result>(
    from origin: Origin, interruption: Interruption?,
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try writing(
      from: origin, isTransaction: false, interruption: interruption, orThrow: { $0 as any Error }
    ) { connection in
      if connection.isInTransaction { throw Seats.insideTransaction }
      return try connection.keepingForeignKeys(body)
    }
  }

  /// Lends the connection that writes: the way of every write.
  func writing<Result, Failure: Error>(
    from origin: Origin = .application, isTransaction: Bool = true,
    interruption: Interruption? = nil, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isReadOnly, seats.isOpen { throw wrap(onlyReadable) }
    if seats.isInside { return try seats.lend(.write, orThrow: wrap, body) }
    // After the connection was returned to the pool.
    var actions: [@Sendable () -> Void] = []
    var due: [EntryListeners.Entry] = []
    defer {
      for action in actions { action() }
      gate.deliver()
      for entry in due { entry.listener.deliver() }
    }
    return try seats.lend(.write, interruption: interruption, orThrow: wrap) {
      (connection) throws(Failure) in
      let state = connection.state
      if state.entryWrites.listeners == nil { state.entryWrites.listeners = entryListeners }
      defer {
        actions = state.endUse()
        due = state.endEntryWrites()
      }
      // What is written to a file without a name is lost.
      do throws(StorageError) { try openFiles?.require() } catch { throw wrap(error) }
      return try gate.around(connection, from: origin, isTransaction: isTransaction, body)
    }
  }

  private var onlyReadable: StorageError {
    StorageError(
      .accessDenied,
      "cannot write to \(quoted(location?.path ?? "")): it was opened for reading only",
      cure: options.isReadOnly
        ? "open it without DatabaseOptions.isReadOnly"
        : "check owner and mode of the file and of its folder, and open it again",
      backend: SQLiteBackend.name)
  }
}
