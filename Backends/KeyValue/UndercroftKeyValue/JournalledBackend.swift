public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A backend for settings, which stores values in a snapshot
/// file and a journal of the writes since the snapshot.
///
/// Each batch is written by one append to the journal, and the store is
/// consistent at every instant. Several processes can use a store at the same
/// time. A write acquires the lock between processes for a few milliseconds (a
/// lease), so that other writes during this time need not acquire the lock.
public final class JournalledBackend: StorageBackend {
  let store: SharedStore

  /// Opens the store at `url`, and creates the store and its folder if they are missing.
  ///
  /// - Parameters:
  ///   - url: the location of the snapshot. The journal and the lock file are in the same folder.
  ///   - durability: the failures that a write survives after the call has returned.
  ///   - lockTimeout: how long to wait for the lock of another process.
  /// - Throws: ``StorageError/Code/misuse`` if the file is a SQLite database;
  ///   ``StorageError/Code/corrupted`` if the snapshot or the beginning of the journal is damaged,
  ///   if the snapshot is a file of another program, or if it is missing although there is a
  ///   journal; ``StorageError/Code/locked`` after `lockTimeout`;
  ///   ``StorageError/Code/accessDenied``, ``StorageError/Code/full``,
  ///   ``StorageError/Code/unavailable`` or ``StorageError/Code/io`` for an error of the operating
  ///   system.
  public convenience init(
    at url: URL, durability: Durability = .processDeath, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    try self.init(
      at: url, format: SortedFormat(), durability: durability, lockTimeout: lockTimeout)
  }

  /// Opens the store at `url`, whose snapshot has the given format, and creates the store and its
  /// folder if they are missing.
  ///
  /// - Parameters:
  ///   - url: the location of the snapshot. The journal and the lock file are in the same folder.
  ///   - format: the file format of the snapshot.
  ///   - durability: the failures that a write survives after the call has returned.
  ///   - lockTimeout: how long to wait for the lock of another process.
  /// - Throws: ``StorageError/Code/misuse`` if the file is a SQLite database;
  ///   ``StorageError/Code/corrupted`` if the snapshot or the beginning of the journal is damaged,
  ///   if the snapshot is a file of another program, or if it is missing although there is a
  ///   journal; ``StorageError/Code/locked`` after `lockTimeout`;
  ///   ``StorageError/Code/accessDenied``, ``StorageError/Code/full``,
  ///   ``StorageError/Code/unavailable`` or ``StorageError/Code/io`` for an error of the operating
  ///   system.
  public init(
    at url: URL, format: any SnapshotFormat, durability: Durability = .processDeath,
    lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    store = try StorageError.naming(backend: format.name) { () throws(StorageError) in
      try SharedStore(
        try StoreFiles(url), format, durability: durability, lockTimeout: lockTimeout)
    }
  }

  deinit { store.close() }

  /// The features that every `JournalledBackend` supports, such as atomic batches.
  public static let capabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .inspectable,
  ]

  public var name: String { store.format.name }
  public var location: URL? { URL(filePath: store.files.snapshot) }
  public var capabilities: Capabilities { Self.capabilities }

  /// The damage that was found when this store was opened, or `nil` if there was none.
  ///
  /// The damage is logged as an error as well.
  public var damage: StoreDamage? { store.damage }

  public func read(_ key: String) throws(StorageError) -> Data? {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      try store.read(key)
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try StorageError.naming(backend: name) { () throws(StorageError) in
      try store.values().keys.names(withPrefix: prefix)
    }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    guard let first = changes.first else { return }
    try StorageError.naming(backend: name, key: first.name) { () throws(StorageError) in
      try store.apply(changes)
    }
  }

  /// Writes all values into the snapshot immediately,
  /// so that other tools can read them from this file.
  ///
  /// The backend also does this when the journal has grown large.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another process or thread holds the lock for too
  ///   long; ``StorageError/Code/corrupted`` if a file is damaged;
  ///   ``StorageError/Code/accessDenied`` if the store cannot be written;
  ///   ``StorageError/Code/full``, ``StorageError/Code/unavailable`` or ``StorageError/Code/io``
  ///   for an error of the operating system.
  public func checkpoint() throws(StorageError) {
    try StorageError.naming(backend: name) { () throws(StorageError) in
      try store.checkpoint()
    }
  }
}

extension JournalledBackend: CheckpointingBackend {}

extension JournalledBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 { store.knownChangeCount() }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      Folder.parent(of: store.files.snapshot),
      counting: { [store] () throws(StorageError) in try store.currentChangeCount() }, handler)
  }
}

extension JournalledBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try store.withExclusiveAccess(body)
  }

  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try store.withWriterLock(body)
  }
}
