import Dispatch
import Synchronization
public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps settings in a journal over a snapshot: one append a batch, whole at every instant.
///
/// Several processes may use a store at once. A write holds the lock between them for a few milliseconds beyond its end, so that a
/// run of writes takes it once.
public final class JournalledBackend: StorageBackend {
  struct State: ~Copyable {
    var store: OpenStore
    let lock: FileLock
    var isLocked = false
    var lastLook = ContinuousClock.now
    /// The journal's size when a checkpoint last failed: on a full disk, not every write should try again.
    var failedCheckpoint = 0
  }

  private static let lease = DispatchTimeInterval.milliseconds(5)
  private static let staleness = Duration.milliseconds(5)
  static let flags = O_RDWR

  let state: Mutex<State>
  let files: StoreFiles
  let format: any SnapshotFormat
  private let lockTimeout: Duration
  private let durability: Durability

  /// Opens the store at `url`, making it and its folder if need be.
  public convenience init(
    at url: URL, durability: Durability = .survivesKill, lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    try self.init(
      at: url, format: SortedFormat(), durability: durability, lockTimeout: lockTimeout)
  }

  /// Opens the store at `url` with a snapshot of the given form.
  public init(
    at url: URL, format: any SnapshotFormat, durability: Durability = .survivesKill,
    lockTimeout: Duration = .seconds(5)
  ) throws(StorageError) {
    let files = StoreFiles(url)
    self.files = files
    self.format = format
    self.lockTimeout = lockTimeout
    self.durability = durability
    do throws(StorageError) {
      let folder = Folder.parent(of: files.snapshot)
      try Folder.create(folder)
      let lock = try FileLock(at: files.lock)
      try lock.lock(timeout: lockTimeout)
      try TemporaryFile.sweep(try Folder.open(folder))
      if access(files.journal, F_OK) != 0 { try Self.begin(files, format) }
      var store = try OpenStore.open(files, format, Self.flags)
      try store.journal.cut()
      lock.unlock()
      state = Mutex(State(store: store, lock: lock))
    } catch {
      throw error.naming(backend: format.name)
    }
  }

  /// Makes what is missing of a new store; a snapshot that is there without a journal is taken as it is.
  private static func begin(_ files: StoreFiles, _ format: any SnapshotFormat)
    throws(StorageError)
  {
    if access(files.snapshot, F_OK) != 0 {
      let replacement = try ReplacementFile(of: files.snapshot)
      let none = SnapshotEntries(names: []) { (_) throws(StorageError) in Data() }
      try format.write(none, to: replacement.file.path)
      try replacement.commit()
    }
    try Journal.replace(at: files.journal)
  }

  /// What every journalled store promises.
  public static let capabilities: Capabilities = [
    .persistent, .atomicBatches, .crashSafe, .sharedAcrossProcesses, .orderedKeys, .inspectable,
  ]

  public var name: String { format.name }
  public var location: URL? { URL(filePath: files.snapshot) }
  public var capabilities: Capabilities { Self.capabilities }

  public func read(_ key: String) throws(StorageError) -> Data? {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try Self.look(&state)
        return try state.store.entries.read(key)
      }
    } catch {
      throw error.naming(backend: name, key: key)
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    do throws(StorageError) {
      return try state.withLock { (state) throws(StorageError) in
        try Self.look(&state)
        return try state.store.entries.names(withPrefix: prefix)
      }
    } catch {
      throw error.naming(backend: name)
    }
  }

  public func apply(_ changes: [Change]) throws(StorageError) {
    guard let first = changes.first else { return }
    do throws(StorageError) {
      let record = try JournalRecord.encode(changes)
      try state.withLock { (state) throws(StorageError) in
        try hold(&state)
        try state.store.journal.append(record, durability)
        for change in changes { state.store.entries.remember(change) }
        try checkpointIfDue(&state)
      }
    } catch {
      throw error.naming(backend: name, key: first.name)
    }
  }

  /// Writes all values into the snapshot now, so that other tools find them there.
  public func checkpoint() throws(StorageError) {
    do throws(StorageError) {
      try state.withLock { (state) throws(StorageError) in
        try hold(&state)
        if state.store.entries.isCheckpointed { return }
        try state.store.checkpoint(Self.flags)
      }
    } catch {
      throw error.naming(backend: name)
    }
  }

  /// A checkpoint costs as much as the snapshot is large, so the journal may grow to several times that first.
  private func checkpointIfDue(_ state: inout State) throws(StorageError) {
    var status = stat()
    let size = state.store.journal.end
    guard size > 1 << 20, size > 2 * state.failedCheckpoint else { return }
    let snapshot = stat(files.snapshot, &status) == 0 ? Int(status.st_size) : 0
    guard size > 4 * snapshot else { return }
    // The write itself is safe in the journal, so its caller need not hear of a failure.
    do throws(StorageError) {
      try state.store.checkpoint(Self.flags)
      state.failedCheckpoint = 0
    } catch {
      state.failedCheckpoint = size
    }
  }

  /// Takes the lock for a lease, and takes in what others wrote while this process did not hold it.
  private func hold(_ state: inout State) throws(StorageError) {
    if state.isLocked { return }
    try state.lock.lock(timeout: lockTimeout)
    do throws(StorageError) {
      if try state.store.refresh(Self.flags) { try state.store.journal.cut() }
    } catch {
      state.lock.unlock()
      throw error
    }
    state.isLocked = true
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.lease) { [weak self] in
      self?.release()
    }
  }

  private func release() {
    state.withLock { state in
      guard state.isLocked else { return }
      state.lock.unlock()
      state.isLocked = false
    }
  }

  /// Looks for other processes' writes, at most every few milliseconds.
  static func look(_ state: inout State) throws(StorageError) {
    if state.isLocked { return }
    let now = ContinuousClock.now
    guard now - state.lastLook > staleness else { return }
    state.lastLook = now
    _ = try state.store.refresh(flags)
  }

  deinit {
    if format.isForOtherTools { try? checkpoint() }
  }
}
