import Crypto
import Synchronization
public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps secrets in one sealed file: neither values nor names can be read without its key.
///
/// Values are opened one at a time, when they are read. Every batch is flushed to the disk before it is acknowledged.
public final class VaultBackend: StorageBackend {
  private struct State: ~Copyable {
    var file: VaultFile
    var unlock: VaultUnlock
    var outsideChanges: UInt64 = 0
  }

  private static let flags = O_RDWR

  private let lock: StoreLock
  private let state: Mutex<State>
  private let path: String

  /// Opens the vault at `url`, making it, its folder and its key file if need be.
  ///
  /// - Throws: ``StorageError/Code/wrongKey``, ``StorageError/Code/corrupted``, ``StorageError/Code/insecurePermissions`` when
  ///   others may read the vault or its key, ``StorageError/Code/locked`` when the key file is missing or another process is busy.
  public init(
    at url: URL, unlockedBy key: VaultKey, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    let unlock = VaultUnlock(key)
    do throws(StorageError) {
      path = try FilePath.of(url)
      let folder = Folder.parent(of: path)
      try Folder.create(folder)
      // A passphrase takes its time: not while the others wait for the lock.
      if try Folder.hasEntry(at: path) { try VaultFile.warm(unlock, path) }
      let lock = try FileLock(at: path + ".lock")
      try lock.lock(timeout: lockTimeout)
      try TemporaryFile.sweep(try Folder.open(folder))
      if try !Folder.hasEntry(at: path) { try Self.make(path, key) }
      let file = try VaultFile.open(path, unlock, flags: Self.flags)
      try file.cut()
      lock.unlock()
      state = Mutex(State(file: file, unlock: unlock))
      self.lock = StoreLock(lock, timeout: lockTimeout)
    } catch {
      throw error.naming(backend: "vault")
    }
  }

  private static func make(_ path: String, _ key: VaultKey) throws(StorageError) {
    if case .keyFile(let keyPath) = key.source { try KeyFile.createIfMissing(keyPath) }
    let id = RandomBytes.make(16)
    let keys = VaultKeys(SymmetricKey(size: .bits256))
    let header = try VaultHeader(
      id: id, epoch: 1, slots: [try VaultSlot(keys.vault, for: key, vault: id)])
    try ReplacementFile.write(header.encode(keys), to: path)
  }

  /// What every vault promises.
  public static let capabilities: Capabilities = [
    .persistent, .confidential, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys,
    .inspectable,
  ]

  public var name: String { "vault" }
  public var location: URL? { URL(filePath: path) }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    try reading(key) { (file) throws(StorageError) in try file.read(key) }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    try reading { (file) throws(StorageError) in
      file.index.keys.filter { $0.utf8.starts(with: prefix.utf8) }.sorted()
    }
  }

  public func apply(_ changes: [Change]) throws(StorageError) {
    guard let first = changes.first else { return }
    try writing(first.name) { (state) throws(StorageError) in
      try state.file.append(changes)
      // What was overwritten is still in the file, sealed; it goes when there is more of it than of the living.
      let size = state.file.end
      guard size > 1 << 16, size > 4 * state.file.liveByteCount else { return }
      // The batch is safe whatever comes of this: the file is rewritten, or read anew, another time.
      try? state.file.rewrite(path, state.file.keys, slots: state.file.header.slots)
      try? reopen(&state)
    }
  }

  /// Adds another key that opens the vault.
  public func add(_ key: VaultKey) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let file = state.file.header
      let slot = try Self.slot(for: key, opening: state.file.keys, of: file.id)
      try state.file.rewrite(path, state.file.keys, slots: file.slots + [slot])
      // What was written holds; if it cannot be read back now, it is read, or told, at the next call.
      try? reopen(&state)
    }
  }

  /// Seals everything anew, so that only these keys open the vault: after a passphrase was told, or a key file lost.
  ///
  /// This backend goes on with `key`. Whoever kept a copy of the old file and an old key can still read the old values.
  public func rekey(to key: VaultKey, and others: VaultKey...) throws(StorageError) {
    try writing(nil) { (state) throws(StorageError) in
      let fresh = VaultKeys(SymmetricKey(size: .bits256))
      let id = state.file.header.id
      var slots = [try Self.slot(for: key, opening: fresh, of: id)]
      for other in others { slots.append(try Self.slot(for: other, opening: fresh, of: id)) }
      try state.file.rewrite(path, fresh, slots: slots)
      state.unlock = VaultUnlock(key)
      try? reopen(&state)
    }
  }

  private static func slot(
    for key: VaultKey, opening keys: VaultKeys, of vault: Data
  ) throws(StorageError) -> VaultSlot {
    if case .keyFile(let path) = key.source { try KeyFile.createIfMissing(path) }
    return try VaultSlot(keys.vault, for: key, vault: vault)
  }

  // MARK: Threads and processes

  func reading<Result>(
    _ key: String? = nil, _ body: (borrowing VaultFile) throws(StorageError) -> sending Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        _ = try refresh(&state)
        return try body(state.file)
      }
    } catch {
      throw error.naming(backend: name, key: key)
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
          try body(&state)
        }
      }
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  /// Takes in what another opener has written.
  private func refresh(_ state: inout State) throws(StorageError) {
    var there = stat()
    guard stat(path, &there) == 0 else { throw .system("examine", path) }
    let here = try state.file.file.status()
    let isSame = there.st_ino == here.st_ino && there.st_dev == here.st_dev
    let isInPlace = try state.file.isInPlace()
    if !isSame || !isInPlace {
      try reopen(&state)
      state.outsideChanges += 1
    } else if there.st_size > state.file.end {
      let before = state.file.end
      _ = try state.file.readOn()
      if state.file.end > before { state.outsideChanges += 1 }
    }
  }

  private func reopen(_ state: inout State) throws(StorageError) {
    state.file = try VaultFile.open(path, state.unlock, flags: Self.flags)
  }
}

extension VaultBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    state.withLock { state in
      try? refresh(&state)
      return state.outsideChanges
    }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      Folder.parent(of: path), counting: { [weak self] in self?.externalChangeCount() ?? 0 },
      handler)
  }
}
