import Crypto
import Synchronization
public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A backend that stores secrets in one encrypted file, of which neither values nor names can be
/// read without a key.
///
/// A value is only decrypted when it is read. Every batch is flushed to the disk before it is
/// acknowledged.
public final class VaultBackend: StorageBackend {
  private struct State: ~Copyable {
    var file: VaultFile
    var unlock: VaultUnlock
    /// Whether the name of the open file is known to be on the disk.
    ///
    /// Another opener that moved the file into place may have been killed before it flushed the
    /// folder, or its flush may have failed.
    var isNameFlushed = true
    var outsideChanges: UInt64 = 0
    /// The damage that was found when the vault was opened.
    var damage: StoreDamage?
  }

  private static let flags = O_RDWR
  /// The size in bytes up to which a file is rewritten whenever a value is removed or replaced.
  private static let smallFile = 1 << 16

  private let lock: StoreLock
  private let state: Mutex<State>
  private let path: String
  /// The flush of the key file, or `nil` if there is no key file or this backend created the vault.
  private let keyFlush: KeyFileFlush?

  /// Opens the vault at `url`.
  ///
  /// A missing vault is created, with its folder and its key file.
  ///
  /// - Parameters:
  ///   - url: the location of the vault.
  ///   - key: the key file or passphrase that opens the vault.
  ///   - lockTimeout: how long to wait for the lock of another process.
  /// - Throws: ``StorageError/Code/wrongKey``, ``StorageError/Code/corrupted``,
  ///   ``StorageError/Code/insecurePermissions`` if others can read the vault or its key, and
  ///   ``StorageError/Code/locked`` if the key file is missing or another process holds the lock.
  public init(
    at url: URL, unlockedBy key: VaultKey, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    let unlock = VaultUnlock(key)
    do throws(StorageError) {
      path = try FilePath.of(url)
      let keyPath = try key.keyFilePath
      try SQLiteFile.refuse(at: path)
      try Folder.create(Folder.parent(of: path))
      // Derive the key of a passphrase before acquiring the lock, because that takes about half a
      // second.
      if try Folder.hasEntry(at: path) { try VaultFile.warm(unlock, path) }
      let lock = try FileLock(at: path + ".lock")
      try lock.lock(timeout: lockTimeout)
      let folder = try Folder.open(Folder.parent(of: path))
      try TemporaryFile.sweep(folder)
      try Folder.synchronizeStore(in: folder, isNew: try !Folder.hasEntry(at: path))
      if try !Folder.hasEntry(at: path) {
        try Self.make(path, key)
        keyFlush = nil
      } else {
        keyFlush = keyPath.map { KeyFileFlush(of: $0, backend: "vault") }
      }
      let file = try VaultFile.open(path, unlock, flags: Self.flags, recovering: true)
      let damage = file.damage
      var opened = State(file: file, unlock: unlock, damage: damage)
      // If there is no space for this, the vault can still be read, and the next write tries again.
      try? Self.replaceTail(&opened, path)
      Self.eraseOrLog(&opened, path)
      opened.damage?.log(backend: "vault")
      lock.unlock()
      state = Mutex(opened)
      self.lock = StoreLock(lock, timeout: lockTimeout)
    } catch {
      throw error.naming(backend: "vault")
    }
  }

  private static func make(_ path: String, _ key: VaultKey) throws(StorageError) {
    if let keyPath = try key.keyFilePath { try KeyFile.createIfMissing(keyPath) }
    let id = RandomBytes.make(16)
    let keys = VaultKeys(SymmetricKey(size: .bits256))
    let header = try VaultHeader(
      id: id, epoch: 1, slots: [try VaultSlot(keys.vault, for: key, vault: id)])
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
      file.index.keys.filter { $0.begins(with: prefix) }.sorted().map(\.text)
    }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    guard let first = changes.first else { return }
    try writing(first.name) { (state) throws(StorageError) in
      try Self.append(changes, &state, path)
      // The batch is already on the disk. If this fails, the next write or opening tries again.
      Self.eraseOrLog(&state, path)
    }
  }

  private static func append(
    _ changes: [StorageChange], _ state: inout State, _ path: String
  ) throws(StorageError) {
    do throws(StorageError) {
      try state.file.append(changes)
    } catch {
      // Otherwise another opener would append after the failed batch, which it cannot recognise.
      if state.file.isUnmarked { try? rewrite(&state, path) }
      throw error
    }
  }

  /// Erases obsolete values like ``erase(_:_:)``, but logs an error instead of throwing it.
  ///
  /// After an error, the obsolete values are still in the file.
  private static func eraseOrLog(_ state: inout State, _ path: String) {
    do throws(StorageError) {
      try erase(&state, path)
    } catch {
      error.naming(backend: "vault").log()
    }
  }

  /// Rewrites the file if it contains too much of replaced or removed values.
  ///
  /// In a file of at most 64 KiB that is any such value, otherwise a quarter of the file. Rewriting
  /// costs in proportion to the size of the file, so several removals share one rewrite of a large
  /// file.
  private static func erase(_ state: inout State, _ path: String) throws(StorageError) {
    let obsolete = state.file.obsoleteByteCount
    // A damaged file that could not be preserved must not be replaced.
    guard obsolete > 0, state.file.tail == .none,
      state.file.end <= smallFile || obsolete >= state.file.end / 4
    else { return }
    try rewrite(&state, path)
  }

  /// Rewrites the file if bytes follow its last complete batch, or if its flush failed.
  private static func replaceTail(_ state: inout State, _ path: String) throws(StorageError) {
    guard state.file.needsReplacement else { return }
    if state.file.tail.isDamaged { state.damage?.preservedPath = try DamagedFile.preserve(path) }
    try rewrite(&state, path)
  }

  private static func rewrite(_ state: inout State, _ path: String) throws(StorageError) {
    try state.file.rewrite(path, state.file.keys, slots: state.file.header.slots)
    try reopen(&state, path)
    state.isNameFlushed = true
  }

  /// Replaces the vault with a file that has other keys, and continues with `unlock`.
  ///
  /// - Throws: an error that says which keys open the vault, if the new file is in place and its
  ///   name could not be flushed.
  private static func rewrite(
    _ state: inout State, _ path: String, _ keys: VaultKeys, slots: [VaultSlot],
    unlock: VaultUnlock
  ) throws(StorageError) {
    var failure: StorageError?
    do throws(StorageError) {
      try state.file.rewrite(path, keys, slots: slots)
    } catch {
      // Only this opener, which holds the lock, can have replaced the file.
      guard (try? state.file.file.isFile(at: path)) == false,
        (try? Folder.hasEntry(at: path)) == true
      else { throw error }
      let reason = (error.underlying as? SystemError)?.description.lowercased() ?? error.message
      failure = StorageError(
        error.code,
        "cannot flush the new keys of \(quoted(path)): \(reason): they are in place and open the"
          + " vault, but a power failure may bring the old keys back",
        suggestion: (error.code == .full ? "free disk space, " : "")
          + "use the new keys, and retain the old ones until a write succeeds",
        underlying: error.underlying)
    }
    state.unlock = unlock
    // The new file is in place. If it cannot be opened now, the next call opens it or throws.
    try? reopen(&state, path)
    state.isNameFlushed = failure == nil
    if let failure { throw failure }
  }

  /// Adds another key that opens the vault.
  ///
  /// A missing key file is created.
  public func add(_ key: VaultKey) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let file = state.file.header
      let slot = try Self.slot(for: key, opening: state.file.keys, of: file.id)
      try Self.rewrite(
        &state, path, state.file.keys, slots: file.slots + [slot], unlock: state.unlock)
    }
  }

  /// Rotates the keys: encrypts all values again, so that only the given keys open the vault.
  ///
  /// Call it after a passphrase was disclosed or a key file was lost. This backend continues with
  /// `key`. An old key still opens an old copy of the file.
  public func rekey(to key: VaultKey, and others: VaultKey...) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let fresh = VaultKeys(SymmetricKey(size: .bits256))
      let id = state.file.header.id
      var slots = [try Self.slot(for: key, opening: fresh, of: id)]
      for other in others { slots.append(try Self.slot(for: other, opening: fresh, of: id)) }
      try Self.rewrite(&state, path, fresh, slots: slots, unlock: VaultUnlock(key))
    }
  }

  private static func slot(
    for key: VaultKey, opening keys: VaultKeys, of vault: Data
  ) throws(StorageError) -> VaultSlot {
    if let keyPath = try key.keyFilePath { try KeyFile.createIfMissing(keyPath) }
    return try VaultSlot(keys.vault, for: key, vault: vault)
  }

  // MARK: Threads and processes

  func reading<Result>(
    _ key: String? = nil, _ body: (borrowing VaultFile) throws(StorageError) -> sending Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      do throws(StorageError) {
        return try refreshed(body)
      } catch  where error.code == .corrupted {
        // A failed batch that another opener is cutting down looks damaged. The lock excludes that
        // opener.
        return try lock.withLock { (_) throws(StorageError) in try refreshed(body) }
      }
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  private func refreshed<Result>(
    _ body: (borrowing VaultFile) throws(StorageError) -> sending Result
  ) throws(StorageError) -> Result {
    try state.withLock { (state) throws(StorageError) in
      try refresh(&state)
      return try body(state.file)
    }
  }

  /// Runs `body` as the only writer.
  private func writing(
    _ key: String?, _ body: (inout State) throws(StorageError) -> Void
  ) throws(StorageError) {
    do throws(StorageError) {
      try lock.withLock { (_) throws(StorageError) in
        try state.withLock { (state) throws(StorageError) in
          try refresh(&state)
          try Self.replaceTail(&state, path)
          try keyFlush?.finish()
          if !state.isNameFlushed {
            // A power failure would remove the batch together with the name of its file.
            try Folder.synchronize(Folder.parent(of: path))
            state.isNameFlushed = true
          }
          try body(&state)
        }
      }
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  /// Reads the batches of other openers, or opens the file that has replaced the current one.
  private func refresh(_ state: inout State) throws(StorageError) {
    var there = stat()
    guard Platform.retrying({ stat(path, &there) }) == 0 else { throw .system("examine", path) }
    let isSame = FileNumber(there) == state.file.number
    let isInPlace = try state.file.isInPlace()
    if !isSame || !isInPlace {
      try Self.reopen(&state, path)
      state.isNameFlushed = false
      state.outsideChanges += 1
    } else if there.st_size > state.file.end {
      let before = state.file.end
      try state.file.readOn(recovering: false)
      if state.file.end > before { state.outsideChanges += 1 }
    }
  }

  private static func reopen(_ state: inout State, _ path: String) throws(StorageError) {
    let (failed, number) = (state.file.hasFailedFlush, state.file.number)
    state.file = try VaultFile.open(path, state.unlock, flags: flags, recovering: false)
    state.file.rememberFailure(failed, of: number)
  }
}

extension VaultBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try lock.withLock(orThrow: { $0.naming(backend: name) as any Error }) { _ in try body() }
  }

  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try lock.withThreadLock(orThrow: { $0.naming(backend: name) as any Error }, body)
  }
}

extension VaultBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    state.withLock { state in
      try? refresh(&state)
      return state.outsideChanges
    }
  }

  private func currentChangeCount() throws(StorageError) -> UInt64 {
    try state.withLock { (state) throws(StorageError) in
      try refresh(&state)
      return state.outsideChanges
    }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      Folder.parent(of: path),
      counting: { [weak self] () throws(StorageError) in try self?.currentChangeCount() ?? 0 },
      handler)
  }
}
