import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one writer of a folder at a time, among threads and processes.
///
/// A batch of one file is one rename. A larger one is staged as temporaries, holds from the moment its commit record is in place, and is then
/// put in place file by file; whoever next takes the lock finishes what a dead writer left.
final class FolderWriter: Sendable {
  private struct State: ~Copyable {
    let lock: FileLock
    var ownChanges: UInt64 = 0
    var lastLook: Int64 = 0
    var outsideChanges: UInt64 = 0
  }

  private let folder: EntryFolder
  private let state: Mutex<State>
  private let timeout: Duration

  /// Opens a folder for writing: finishes a pending batch, sweeps what dead writers left, checks the marker.
  init(_ folder: EntryFolder, timeout: Duration) throws(StorageError) {
    self.folder = folder
    self.timeout = timeout
    let lock = try FileLock(at: folder.path + "/.undercroft-lock")
    try lock.lock(timeout: timeout)
    try StoreMarker.check(folder.suffix, in: folder.root)
    try Self.finishPending(in: folder)
    try TemporaryFile.sweep(folder.root)
    try Staging.sweep(folder)
    let generation = try lock.generation()
    lock.unlock()
    state = Mutex(State(lock: lock, ownChanges: 0 &- generation))
  }

  /// Runs `body` as the only writer, with no batch pending.
  func write(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in
      try state.lock.lock(timeout: timeout)
      defer { state.lock.unlock() }
      try Self.finishPending(in: folder)
      try body()
      try state.lock.advanceGeneration()
      state.ownChanges &+= 1
    }
  }

  /// How often others have written; looks at the disk at most every few milliseconds unless told otherwise.
  func outsideChanges(immediately: Bool) -> UInt64 {
    state.withLock { state in
      let now = Platform.coarseNow()
      guard immediately || now - state.lastLook > 5_000_000 else { return state.outsideChanges }
      state.lastLook = now
      if let generation = try? state.lock.generation() {
        state.outsideChanges = generation &- state.ownChanges
      }
      return state.outsideChanges
    }
  }

  // MARK: Steps; the caller is the only writer

  func apply(_ changes: [Change]) throws(StorageError) {
    try write { () throws(StorageError) in
      let staged = Staging(folder)
      // Of several changes of one name the last counts.
      var seen = Set<String>()
      for change in changes.reversed() where seen.insert(change.name).inserted {
        try staged.add(change)
      }
      try staged.commit()
    }
  }

  /// Puts a written and flushed temporary in the place of an entry.
  func place(_ temporary: String, as name: String) throws(StorageError) {
    let file = folder.file(for: name)
    try write { () throws(StorageError) in
      try Self.carryOut(.set(file: file, temporary: temporary), in: folder, again: false)
    }
  }

  private static func finishPending(in folder: EntryFolder) throws(StorageError) {
    guard let batch = try PendingBatch.read(in: folder.root) else { return }
    try finish(batch, in: folder)
  }

  static func finish(_ batch: PendingBatch, in folder: EntryFolder) throws(StorageError) {
    for step in batch.steps { try carryOut(step, in: folder, again: true) }
    unlinkat(folder.root.raw, PendingBatch.fileName, 0)
    try folder.root.synchronize()
  }

  /// Carries out one step, which may have been carried out before if it is done `again`.
  static func carryOut(
    _ step: PendingBatch.Step, in folder: EntryFolder, again: Bool
  ) throws(StorageError) {
    switch step {
    case .set(let file, let temporary):
      _ = try folder.within(file, making: true) { (place, name) throws(StorageError) in
        guard renameat(folder.root.raw, temporary, place.raw, name) == 0 else {
          if again, errno == ENOENT { return }
          throw .system("replace", place.path + "/" + name)
        }
        try place.synchronize()
      }
    case .remove(let file):
      _ = try folder.within(file, making: false) { (place, name) throws(StorageError) in
        guard unlinkat(place.raw, name, 0) == 0 else {
          if errno == ENOENT { return }
          throw .system("remove", place.path + "/" + name)
        }
        try place.synchronize()
      }
    }
  }
}
