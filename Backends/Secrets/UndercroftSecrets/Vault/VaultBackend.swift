import Crypto
import Synchronization
public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A backend that stores secrets in a vault: an encrypted file
/// whose names and values cannot be read without a key.
///
/// Decrypted values are not stored in memory: when the vault opens, every
/// record is decrypted once to build the index of names, and each read decrypts
/// one value. Every batch is flushed to the disk before it is acknowledged.
public final class VaultBackend: StorageBackend {
  private let lock: StoreLock
  private let state: Mutex<VaultState>
  let path: String
  /// The cleanup that removes temporary copies of the key file and flushes its folder, or `nil` if
  /// there is no key file or this backend created the vault.
  private let keyFlush: KeyFileFlush?

  /// Opens the vault at `url`.
  ///
  /// A missing vault is created, with its folder and its key file, unless `createsMissing` is
  /// `false`.
  ///
  /// - Parameters:
  ///   - url: the location of the vault.
  ///   - key: the key file or passphrase that opens the vault.
  ///   - lockTimeout: how long to wait for the lock of another process.
  ///   - createsMissing: whether a missing vault is created.
  /// - Throws: ``StorageError/Code/wrongKey`` if `key` does not open the vault, or if the key file
  ///   does not have the size of a key; ``StorageError/Code/corrupted`` if the header is damaged;
  ///   ``StorageError/Code/insecurePermissions`` if other users can read or write the vault or its
  ///   key file, or own it; ``StorageError/Code/locked`` if the key file is missing or another
  ///   process holds the lock; ``StorageError/Code/misuse`` if the vault or its key file is a
  ///   SQLite database, or if the passphrase of a new vault is empty;
  ///   ``StorageError/Code/unavailable`` if the vault is missing and `createsMissing` is `false`;
  ///   ``StorageError/Code/accessDenied``, ``StorageError/Code/full``,
  ///   ``StorageError/Code/unavailable`` or ``StorageError/Code/io`` for an error of the operating
  ///   system.
  public init(
    at url: URL, unlockedBy key: VaultKey, lockTimeout: Duration = .seconds(5),
    createsMissing: Bool = true
  ) throws(StorageError) {
    let unlocker = VaultUnlocker(key)
    do throws(StorageError) {
      path = try FilePath.of(url)
      let keyPath = try key.keyFilePath
      try SQLiteFile.reject(at: path)
      if !createsMissing { try Self.requireEntry(at: path) }
      try Folder.create(Folder.parent(of: path))
      // Derive the key of a passphrase before acquiring the lock, because that takes about half a
      // second.
      if try Folder.hasEntry(at: path) { try VaultFile.prederiveKey(unlocker, path) }
      let lock = try FileLock(at: path + ".lock")
      try lock.lock(timeout: lockTimeout)
      // Another process may have removed the vault in the meantime.
      if !createsMissing { try Self.requireEntry(at: path) }
      let folder = try Folder.open(Folder.parent(of: path))
      try TemporaryFile.sweep(folder)
      try Folder.synchronizeStore(in: folder, isNew: try !Folder.hasEntry(at: path))
      if try !Folder.hasEntry(at: path) {
        try Self.create(path, key)
        keyFlush = nil
      } else {
        keyFlush = keyPath.map { KeyFileFlush(of: $0, backend: "vault") }
      }
      var opened = try VaultState(path, unlocker)
      // If there is no space for the new file, the vault
      // can still be read, and the next write tries again.
      try? opened.replaceTail()
      opened.eraseOrReport()
      opened.damage?.reportIssue(backend: "vault")
      lock.unlock()
      state = Mutex(opened)
      self.lock = StoreLock(lock, timeout: lockTimeout, backend: "vault")
    } catch {
      throw error.naming(backend: "vault")
    }
  }

  private static func requireEntry(at path: String) throws(StorageError) {
    guard try Folder.hasEntry(at: path) else {
      throw StorageError(
        .unavailable, "cannot open the vault \(quoted(path)): the vault does not exist",
        suggestion: "check the path, or restore the vault from a backup")
    }
  }

  private static func create(_ path: String, _ key: VaultKey) throws(StorageError) {
    if let keyPath = try key.keyFilePath { try KeyFile.createIfMissing(keyPath) }
    let id = RandomBytes.make(16)
    let keys = DerivedVaultKeys(SymmetricKey(size: .bits256))
    let header = try VaultHeader(
      id: id, epoch: 1, slots: [try VaultSlot(keys.vault, for: key, vault: id, at: path)],
      path: path)
    try ReplacementFile.write(header.encode(keys), to: path)
  }

  /// The capabilities of every vault.
  public static let capabilities: Capabilities = [
    .persistent, .confidential, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys,
    .inspectable,
  ]

  public var name: String { "vault" }
  public var location: URL? { URL(filePath: path) }
  public var capabilities: Capabilities { Self.capabilities }

  /// The damage that was found when this vault was opened, or `nil` if there was none.
  ///
  /// The damage is also logged as an error.
  public var damage: StoreDamage? { state.withLock { $0.damage } }

  public func read(_ key: String) throws(StorageError) -> Data? {
    try reading(key) { (file) throws(StorageError) in try file.read(key) }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try reading { (file) throws(StorageError) in
      file.index.keys.names(withPrefix: prefix)
    }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    guard let first = changes.first else { return }
    try writing(first.name) { (state) throws(StorageError) in
      try state.append(changes)
      // The batch is already on the disk. If the rewrite fails, it is
      // tried again at the next write or when the vault is opened again.
      state.eraseOrReport()
    }
  }

  // MARK: Threads and processes

  /// The key that opens the vault file again after a replacement.
  var unlocker: VaultUnlocker { state.withLock { $0.unlocker } }

  func reading<Result>(
    _ key: String? = nil, _ body: (borrowing VaultFile) throws(StorageError) -> sending Result
  ) throws(StorageError) -> Result {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      do throws(StorageError) {
        return try refreshed(body)
      } catch  where error.code == .corrupted {
        // While another instance truncates a failed batch, the batch looks damaged. The lock
        // excludes that instance.
        return try lock.withLock { (_) throws(StorageError) in try refreshed(body) }
      }
    }
  }

  private func refreshed<Result>(
    _ body: (borrowing VaultFile) throws(StorageError) -> sending Result
  ) throws(StorageError) -> Result {
    try state.withLock { (state) throws(StorageError) in
      try state.refresh()
      return try body(state.file)
    }
  }

  /// Runs `body` while no other thread or process writes to the vault.
  ///
  /// - Parameters:
  ///   - key: the name of the written value for error messages, or `nil` if there is none.
  ///   - body: a closure that receives the up-to-date state of the vault.
  func writing(
    _ key: String?, _ body: (inout VaultState) throws(StorageError) -> Void
  ) throws(StorageError) {
    try StorageError.naming(backend: name, key: key) { () throws(StorageError) in
      try lock.withLock { (_) throws(StorageError) in
        try state.withLock { (state) throws(StorageError) in
          try state.refresh()
          try state.replaceTail()
          try keyFlush?.finish()
          try state.flushName()
          try body(&state)
        }
      }
    }
  }
}

extension VaultBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try lock.lockThreads()
    defer { lock.unlockThreads() }
    return try body()
  }
}

extension VaultBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 { state.knownChangeCount() }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      ofFile: path, of: self,
      counting: { (backend) throws(StorageError) in try backend.state.currentChangeCount() },
      handler)
  }
}
