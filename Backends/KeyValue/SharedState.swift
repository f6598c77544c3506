import UndercroftCore
import UndercroftFileSystem

/// What the threads of a process share of an open store.
struct SharedState: ~Copyable {
  var store: OpenStore
  /// The damage that was found when the store was opened.
  var damage: StoreDamage?
  /// Whether the lock between processes is held; changed by the writer alone.
  var isLocked = false
  /// How many exclusive accesses, one within the other, need the lock between processes.
  var exclusiveAccesses = 0
  /// Whether the lease ended during an exclusive access, whose end then releases the lock.
  var isLeaseOver = false
  /// Whether a checkpoint failed, which may have put new files in place.
  private(set) var isOutdated = false
  var lastLook: Int64 = 0
  /// The journal's size when a checkpoint last failed: on a full disk, not every write should try again.
  var failedCheckpoint = 0

  init(store: consuming OpenStore, damage: StoreDamage?) {
    self.store = store
    self.damage = damage
  }

  /// Reads what other openers have written.
  mutating func refresh() throws(StorageError) {
    try store.refresh()
    isOutdated = false
  }

  /// Replaces snapshot and journal; the caller holds the lock between processes.
  mutating func checkpoint() throws(StorageError) {
    do throws(StorageError) {
      if let preserved = try store.checkpoint() { damage?.preservedPath = preserved }
    } catch {
      isOutdated = true
      throw error
    }
  }

  /// Replaces the files if anything follows the last whole record of the journal, or if its flush
  /// failed.
  mutating func replaceTail() throws(StorageError) {
    if store.journal.needsReplacement { try checkpoint() }
  }

  /// Appends a batch to the journal; the caller holds the lock between processes.
  mutating func append(
    _ record: [UInt8], _ changes: [Change], _ durability: Durability
  ) throws(StorageError) {
    do throws(StorageError) {
      try store.journal.append(record, durability)
    } catch {
      // Otherwise another opener would append behind the failed batch, which it cannot know.
      if store.journal.isUnmarked { try? checkpoint() }
      throw error
    }
    for change in changes { store.remember(change) }
  }
}
