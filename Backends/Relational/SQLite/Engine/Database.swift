import Synchronization
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A SQLite database, on disk or in memory; safe to use from any thread.
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

  private let lock: WriterLock
  private let handle: Mutex<SQLiteHandle?>

  /// Opens the file, making it and missing folders above it if need be, readable by their owner alone.
  ///
  /// The journal is a write-ahead log and foreign keys are enforced. A file that may not be written is opened for reading.
  ///
  /// - Parameters:
  ///   - durability: what a commit survives.
  ///   - lockTimeout: how long to wait for another connection's transaction.
  /// - Throws: ``StorageError/Code/corrupted`` for a file that is no database; it stays as it is.
  public convenience init(
    at url: URL, durability: SQLiteDurability = .processDeath, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    let handle = try SQLiteHandle.opening(url, durability: durability, lockTimeout: lockTimeout)
    self.init(handle, at: url, lockTimeout: lockTimeout)
  }

  /// Makes a database that is gone with the last reference to it.
  public static func inMemory() throws(StorageError) -> Database {
    let handle = try SQLiteHandle("", .memory)
    try handle.connection(mayWrite: true).configure(.relaxed)
    return Database(handle, at: nil, lockTimeout: .seconds(5))
  }

  /// Takes over a connection.
  private init(_ handle: consuming SQLiteHandle, at url: URL?, lockTimeout: Duration) {
    lock = WriterLock(timeout: lockTimeout)
    location = url
    isReadOnly = handle.isReadOnly
    self.handle = Mutex(handle)
  }

  // MARK: Reading and writing

  /// Runs `body` on one unchanging view of the database.
  ///
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/misuse`` inside another read or write of this thread.
  public func read<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    try alone(mayWrite: false, orThrow: { $0 as any Error }) { connection in
      try connection.transaction(orThrow: { $0 as any Error }) { try body(connection) }
    }
  }

  /// Runs `body` in one transaction: all of it is kept when `body` returns, nothing when it throws.
  ///
  /// - Throws: what `body` throws, unchanged; ``StorageError/Code/misuse`` inside another read or write of this thread,
  ///   and ``StorageError/Code/locked`` when another process does not let go in time.
  @discardableResult
  public func write<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    try alone(mayWrite: true, orThrow: { $0 as any Error }) { connection in
      try connection.transaction(orThrow: { $0 as any Error }) { try body(connection) }
    }
  }

  /// Closes the file; every later call is an error, and a second close does nothing.
  public func close() throws(StorageError) {
    try lock.withLock(orThrow: Self.sameThread) { () throws(StorageError) in
      handle.withLock { $0 = nil }
    }
  }

  // MARK: For the engine itself

  /// Lends the connection without a transaction; errors of the engine pass through `wrap`.
  func alone<Result, Failure: Error>(
    mayWrite: Bool, orThrow wrap: (StorageError) -> Failure,
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock(orThrow: { wrap(Self.sameThread($0)) }) { () throws(Failure) in
      guard let connection = lend(mayWrite: mayWrite) else { throw wrap(Self.closed) }
      return try body(connection)
    }
  }

  /// Lends the connection unless anybody is using it.
  func aloneIfAvailable<Result>(_ body: (borrowing Connection) -> Result) -> Result? {
    var result: Result?
    lock.withLockIfAvailable {
      if let connection = lend(mayWrite: false) { result = body(connection) }
    }
    return result
  }

  private func lend(mayWrite: Bool) -> Connection? {
    // The mutex only guards against `close`, which takes the lock as well: the connection outlives this call.
    handle.withLock { handle in
      switch handle {
      case .some(let handle): handle.connection(mayWrite: mayWrite)
      case .none: nil
      }
    }
  }

  private static func sameThread(_ error: StorageError) -> StorageError {
    guard error.code == .misuse else { return error.naming(backend: SQLiteBackend.name) }
    return .sqliteMisuse(
      "cannot begin: this thread is already inside a read or write of the same database",
      cure: "use the connection that the closure was given")
  }

  private static var closed: StorageError {
    .sqliteMisuse("cannot begin: the database has been closed", cure: "open it again")
  }
}
