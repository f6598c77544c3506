import UndercroftCore
import UndercroftFileSystem

/// The state of an open store that the threads of a process share.
struct SharedState: ExternalChangeDetector, ~Copyable {
  var store: OpenStore
  var externalChanges = ExternalChangeCounter()
  /// The damage that was found when the store was opened, or `nil` if there was none.
  var damage: StoreDamage?
  /// Whether the lock between processes is held.
  ///
  /// Only the writer changes this property.
  var isLocked = false
  /// The number of nested exclusive accesses that need the lock between processes.
  var exclusiveAccesses = 0
  /// Whether the lease expired during an exclusive access, so that the lock between processes is
  /// released when the exclusive access ends.
  ///
  /// The lease is the time span during which this instance of the store retains the lock after it
  /// acquired the lock, so that successive writes need not acquire the lock each time.
  var isLeaseOver = false
  /// Whether a checkpoint failed, so that new files may have replaced the files that this instance
  /// of the store uses.
  private(set) var isOutdated = false
  /// The size of the journal in bytes when a checkpoint last failed, or 0.
  ///
  /// The next checkpoint is attempted at twice this size, because
  /// attempts at every write to a full disk would cost too much.
  var failedCheckpoint = 0

  init(store: consuming OpenStore, damage: StoreDamage?) {
    self.store = store
    self.damage = damage
  }

  /// Reads the batches that other instances of the store have written.
  mutating func readExternalChanges() throws(StorageError) {
    if try store.refresh() { externalChanges.increment() }
    isOutdated = false
  }

  /// Reads the batches that other instances of the store have written, before values are read.
  ///
  /// While this instance holds the lock between processes, no other instance writes. So this
  /// function then reads the files again only after a failed checkpoint.
  mutating func refreshForReading() throws(StorageError) {
    if isOutdated { return try refresh() }
    if !isLocked { try refreshIfDue() }
  }

  /// Reads the files again if another file is at the path of the journal, or if a checkpoint
  /// failed.
  ///
  /// Call this before each change: another program may have removed or replaced the files since the
  /// lock was acquired.
  mutating func refreshIfReplaced() throws(StorageError) {
    let isInUse = try store.journal.isFile(at: store.files.journal)
    if isOutdated || !isInUse { try refresh() }
  }

  /// Writes the current values as a new snapshot, and replaces the journal with an empty one.
  ///
  /// The caller must hold the lock that excludes other processes.
  mutating func checkpoint() throws(StorageError) {
    do throws(StorageError) {
      if let preserved = try store.checkpoint() { damage?.preservedPath = preserved }
    } catch {
      isOutdated = true
      throw error
    }
  }

  /// Replaces the snapshot and the journal if bytes follow the last whole record of the journal, or
  /// if a flush of the journal failed.
  mutating func replaceTail() throws(StorageError) {
    if store.journal.needsReplacement { try checkpoint() }
  }

  /// Appends a batch to the journal.
  ///
  /// The caller holds the lock between processes.
  mutating func append(
    _ record: [UInt8], _ changes: [StorageChange], _ durability: Durability
  ) throws(StorageError) {
    do throws(StorageError) {
      try store.journal.append(record, durability)
    } catch {
      // Without the checkpoint, another instance would append after
      // the failed batch, because it cannot detect the failure.
      if store.journal.isFailureUndetectable { try? checkpoint() }
      throw error
    }
    for change in changes { store.apply(change) }
  }
}
