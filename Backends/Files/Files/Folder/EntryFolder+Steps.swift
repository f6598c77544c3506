import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What changes entries; the caller is the only writer.
extension EntryFolder {
  /// Gives a new file the mode and owner of the one that it will replace.
  func keepMode(of file: String, on new: borrowing Descriptor) throws(StorageError) {
    _ = try within(file, making: false) { (place, name) throws(StorageError) in
      try ReplacementFile.keepModeAndOwner(of: name, in: place, on: new, 0o600)
    }
  }

  /// Announces a write for the other openers.
  ///
  /// A full disk is no error: values have to be removable then, also where overwriting takes space.
  func announce(
    after counts: FileLock.WriteCounts, under lock: borrowing FileLock
  ) throws(StorageError) {
    do throws(StorageError) { try lock.announceWrite(after: counts) } catch {
      if error.code != .full { throw error }
    }
  }

  /// Finishes the batch that another writer left, if there is one.
  ///
  /// - Returns: the error because of which the batch could not be finished, such as on a full disk,
  ///   or `nil`. The batch holds all the same: readers see it through its record.
  /// - Throws: ``StorageError/Code/corrupted`` if a value of the batch is neither staged nor in place.
  func finishPending(under lock: borrowing FileLock) throws(StorageError) -> StorageError? {
    guard let batch = try pendingBatch() else { return nil }
    for case .set(let file, let temporary) in batch.steps {
      guard try FileIdentity(temporary, in: root) == nil, try !hasFile(file) else { continue }
      throw PendingBatch.damaged(
        path + "/" + PendingBatch.fileName,
        "the value of \(quoted(file)), which this commit record names, is missing")
    }
    do throws(StorageError) {
      // The dead writer did not count its batch. Every opener, this one too, may still use older
      // values that it read before the batch was committed.
      try lock.endWrite(after: try lock.writeCounts())
      // A power failure may bring back a record whose removal is not on the disk. If this opener
      // fails or is killed before that, the announcement makes the next writer flush the folder
      // first.
      let counts = try lock.writeCounts()
      try announce(after: counts, under: lock)
      _ = try finish(batch, under: lock)
      // If this fails, the announcement stands, and the caller counts the write.
      try? lock.endWrite(after: counts)
      return nil
    } catch {
      let reason = (error.underlying as? SystemError)?.description.lowercased() ?? error.message
      return StorageError(
        error.code, "cannot finish the last batch of \(quoted(path)): \(reason)",
        cure: error.code == .full ? "free some room, and repeat the call" : "repeat the call",
        underlying: error.underlying)
    }
  }

  /// Ends a write that was announced and has not ended, because its writer was killed or a call
  /// failed.
  ///
  /// A power failure may bring back a commit record whose removal is not on the disk. So the folder
  /// is flushed before anything is written. The temporaries of the write are removed.
  func settle(under lock: borrowing FileLock) throws(StorageError) {
    try flushNames()
    try sweep(under: lock)
  }

  /// Removes the temporaries that no batch needs any more, and counts a write that has not ended.
  ///
  /// The names are flushed, and no batch is pending.
  func sweep(under lock: borrowing FileLock) throws(StorageError) {
    try Staging.sweep(self)
    let counts = try lock.writeCounts()
    if counts.isUnfinished { try lock.endWrite(after: counts) }
  }

  /// Flushes the names in the folder itself; after a failure the next write does so first.
  private func flushNames() throws(StorageError) {
    needsFlush.store(true, ordering: .relaxed)
    try root.synchronize()
    needsFlush.store(false, ordering: .relaxed)
  }

  private func hasFile(_ file: String) throws(StorageError) -> Bool {
    try within(file, making: false) { (place, name) throws(StorageError) in
      try FileIdentity(name, in: place) != nil
    } ?? false
  }

  /// Puts a committed batch in place and removes its record.
  ///
  /// - Returns: whether every temporary was there; one that is missing was put in place before.
  func finish(_ batch: PendingBatch, under lock: borrowing FileLock) throws(StorageError) -> Bool {
    // A caller that is listing the folder has to list it again.
    try lock.advance(.batches)
    var isWhole = true
    for step in batch.steps {
      if try !carryOut(step) { isWhole = false }
    }
    try synchronizeFolders(of: batch.steps)
    try removeRecord()
    try flushNames()
    return isWhole
  }

  /// Undoes a batch whose commit record is in place but cannot be flushed.
  ///
  /// - Returns: whether the record is gone from the disk. If not, a power failure may bring it back, and then its
  ///   temporaries have to be there.
  func undoCommit(under lock: borrowing FileLock) -> Bool {
    // Readers saw the record. A counter that cannot be advanced is no reason to leave it.
    try? lock.advance(.batches)
    do throws(StorageError) {
      try removeRecord()
      try flushNames()
      return true
    } catch {
      return false
    }
  }

  private func removeRecord() throws(StorageError) {
    let result = Platform.retrying { unlinkat(root.raw, PendingBatch.fileName, 0) }
    guard result == 0 || errno == ENOENT else {
      throw .system("remove", path + "/" + PendingBatch.fileName)
    }
  }

  /// Carries out a step that needs no record, and flushes it.
  ///
  /// - Throws: an error which says "is in place" if the step was carried out and cannot be flushed.
  func carryOutForTheFirstTime(_ step: PendingBatch.Step) throws(StorageError) {
    guard try carryOut(step) else { throw Self.vanished(from: path) }
    do throws(StorageError) { try synchronizeFolders(of: [step]) } catch {
      throw error.afterChange("the write", of: path + "/" + step.file)
    }
  }

  /// Carries out one step; doing it again changes nothing.
  ///
  /// - Returns: whether the temporary was there; always for a removal.
  private func carryOut(_ step: PendingBatch.Step) throws(StorageError) -> Bool {
    switch step {
    case .set(let file, let temporary):
      return try within(file, making: true) { (place, name) throws(StorageError) in
        let result = Platform.retrying { renameat(root.raw, temporary, place.raw, name) }
        if result == 0 { return true }
        guard errno == ENOENT else { throw .system("replace", place.path + "/" + name) }
        return false
      } ?? false
    case .remove(let file):
      _ = try within(file, making: false) { (place, name) throws(StorageError) in
        try watched.removing(file) { () throws(StorageError) in
          if Platform.retrying({ unlinkat(place.raw, name, 0) }) == 0 { return true }
          guard errno == ENOENT else { throw .system("remove", place.path + "/" + name) }
          return false
        }
      }
      return true
    }
  }

  /// Flushes the folders of the files that were put in place or removed, and all folders above them.
  ///
  /// The folders above as well: a killed writer may have made one of them and not flushed its name. Each folder once,
  /// because flushing costs far more than renaming.
  private func synchronizeFolders(of steps: [PendingBatch.Step]) throws(StorageError) {
    var folders: Set<Substring> = []
    for step in steps {
      var path = step.file[...]
      while let slash = path.lastIndex(of: "/") {
        path = path[..<slash]
        guard folders.insert(path).inserted else { break }
      }
    }
    for folder in folders {
      _ = try within(folder + "/", making: false) { (place, _) throws(StorageError) in
        try place.synchronize()
      }
    }
    try root.synchronize()
  }

  static func vanished(from path: String) -> StorageError {
    StorageError(
      .io, "cannot keep all of a write to \(quoted(path)): a temporary of it has vanished",
      cure: "keep other stores and programs out of this folder, and write again")
  }
}
