public import UndercroftCore
public import UndercroftFoundation
package import UndercroftSQLite

/// A store of a synchronisation server in SQLite files.
///
/// Scopes are distributed over several files, because the transactions of one file wait for each
/// other. By default, committed transactions survive a power failure.
public final class SQLiteSyncStore: SyncServerStore {
  private let shards: [Database]

  /// Opens the store in a folder, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - folder: the folder, which contains no other files.
  ///   - count: the number of files, from 1 to 4096, which cannot change later.
  ///   - durability: the failures that a commit survives.
  /// - Throws: ``StorageError/Code/misuse`` if the number of files is invalid or differs from the
  ///   number with which the store was created.
  public init(
    at folder: URL, shards count: Int = 1, durability: Durability = .powerLoss
  ) throws {
    guard Self.counts.contains(count) else {
      throw StorageError(
        .misuse,
        """
        cannot open the synchronisation store \(quoted(folder.path)) with \(count) files: a store \
        has 1 to \(Self.counts.upperBound) files
        """,
        suggestion: "pass a number from 1 to \(Self.counts.upperBound) for shards")
    }
    let options = Self.options(of: count, durability)
    var opened: [Database] = []
    for shard in 0..<count {
      let database = try Database(
        at: folder.appendingPathComponent("sync-\(shard).sqlite"), options)
      try SyncStoreSchema.ensure(in: database, shard: shard, of: count)
      opened.append(database)
    }
    shards = opened
  }

  private static let counts = 1...4096

  /// The options of each file of a store.
  ///
  /// The page caches of all files together are as large as those of one database. Otherwise the
  /// memory of a server could grow to gigabytes if it has many files.
  package static func options(of count: Int, _ durability: Durability) -> DatabaseOptions {
    var options = DatabaseOptions(
      durability: durability, lockTimeout: .seconds(30), observesRows: false)
    options.pageCacheByteCount = max(minimumCache, options.pageCacheByteCount / count)
    return options
  }

  /// The bytes of a page cache for the pages that a small transaction changes.
  private static let minimumCache = 262_144

  /// Runs `body` in an immediate transaction of the file that contains the scope.
  public func write<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
  ) throws -> Result {
    try database(of: scope).write(from: .sync) { db in
      try body(try SQLiteSyncTransaction(scope, db))
    }
  }

  /// Runs `body` in a read transaction of the file that contains the scope.
  public func read<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
  ) throws -> Result {
    try database(of: scope).read { db in try body(try SQLiteSyncTransaction(scope, db)) }
  }

  /// Returns the scopes that have a state.
  public func scopes() throws -> [ScopeIdentifier] {
    try shards.flatMap { database in
      try database.fetchAll("SELECT name FROM sync_scope WHERE epoch IS NOT NULL") { row in
        ScopeIdentifier(try row[0])
      }
    }
  }

  /// Closes all files.
  ///
  /// Every later call throws an error.
  public func close() throws {
    for database in shards { try database.close() }
  }

  /// Returns the database that contains a scope.
  ///
  /// The choice depends only on the identifier of the scope and on the number of files.
  private func database(of scope: ScopeIdentifier) -> Database {
    let digest = SHA256Digest(of: [UInt8](scope.text.utf8)).bytes
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let slot = Int(number % UInt64(Self.counts.upperBound))
    return shards[slot % shards.count]
  }
}
