import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The functions that change entries.
///
/// The caller must hold the lock of the store.
extension EntryFolder {
  /// Gives a new file the mode and the owner of the file that it will replace.
  func copyMode(of file: String, on new: borrowing Descriptor) throws(StorageError) {
    _ = try within(file, creating: false) { (parent, name) throws(StorageError) in
      try ReplacementFile.copyModeAndOwner(of: name, in: parent, on: new, 0o600)
    }
  }

  /// Records in the lock file, for the other instances of the store, that a write begins.
  ///
  /// A full disk is not an error: values must be removable even if there is no space
  /// for this record, such as on a file system where overwriting allocates new blocks.
  func announce(
    after counts: FileLock.WriteCounts, under lock: borrowing FileLock
  ) throws(StorageError) {
    do throws(StorageError) { try lock.announceWrite(after: counts) } catch {
      if error.code != .full { throw error }
    }
  }

  /// Finishes the batch that another writer left unfinished, if there is one.
  ///
  /// - Returns: the error that prevented this function from finishing the batch, such as
  ///   a full disk, or `nil` if no batch is pending after the call. After such an error,
  ///   the batch remains committed: readers read its values through the commit record.
  /// - Throws: ``StorageError/Code/corrupted`` if a value of the batch is neither in a temporary
  ///   file nor in the file of its entry, and any error that reading the commit record throws.
  func finishPending(under lock: borrowing FileLock) throws(StorageError) -> StorageError? {
    guard let batch = try pendingBatch() else { return nil }
    for case .set(let file, let temporary) in batch.steps {
      guard try !Folder.hasEntry(temporary, in: root), try !hasFile(file) else { continue }
      throw PendingBatch.damaged(
        path + "/" + PendingBatch.fileName,
        "the commit record names the file \(quoted(file)), but the file is missing")
    }
    do throws(StorageError) {
      // The killed writer may not have flushed the name of its record. Without the record, the
      // steps that a power failure leaves on the disk would be a part of the batch.
      try root.synchronize()
      // The killed writer did not count its batch. Any instance, including this one, may still use
      // values that it read before the batch was committed.
      try lock.endWrite(after: try lock.writeCounts())
      // A power failure may restore a commit record whose removal was not flushed. If this instance
      // fails or is killed before the flush, the announcement makes the next writer flush the
      // folder first.
      let counts = try lock.writeCounts()
      try announce(after: counts, under: lock)
      _ = try finish(batch, under: lock)
      // If this fails, the write remains announced, and the caller counts it.
      try? lock.endWrite(after: counts)
      return nil
    } catch {
      let reason = (error.underlying as? SystemError)?.description.lowercased() ?? error.failure
      return StorageError(
        error.code,
        """
        cannot write to the folder \(quoted(path)): an earlier write committed a batch without \
        completing its changes, and this call cannot complete these changes: \(reason)
        """,
        suggestion: error.suggestionToRepeat,
        underlying: error.underlying)
    }
  }

  /// Cleans up after an earlier write whose beginning, but not its end, is recorded in the lock
  /// file, because the writer was killed or a call failed.
  ///
  /// Flushes the folder before anything is written, because the earlier write may have removed its
  /// commit record without flushing the removal. A power failure could then restore the record, and
  /// the next writer would repeat the old batch over newer values. After the flush, removes the
  /// temporary files of the earlier write, and records the end of that write.
  func cleanUp(under lock: borrowing FileLock) throws(StorageError) {
    try flushNames()
    try sweep(under: lock)
  }

  /// Removes the temporary files that no batch needs, and
  /// records the end of an unfinished write in the lock file.
  ///
  /// A write is unfinished if the lock file contains its beginning
  /// but not its end, for example because its writer was killed.
  ///
  /// The caller must have flushed the folder, and no batch may be pending.
  func sweep(under lock: borrowing FileLock) throws(StorageError) {
    try StagedBatch.sweep(self)
    let counts = try lock.writeCounts()
    if counts.isUnfinished { try lock.endWrite(after: counts) }
  }

  /// Flushes the directory entries of the root folder to the disk.
  ///
  /// If the flush fails, the next write begins with another flush.
  private func flushNames() throws(StorageError) {
    needsFlush.store(true, ordering: .relaxed)
    try root.synchronize()
    needsFlush.store(false, ordering: .relaxed)
  }

  private func hasFile(_ file: String) throws(StorageError) -> Bool {
    try within(file, creating: false) { (parent, name) throws(StorageError) in
      try Folder.hasEntry(name, in: parent)
    } ?? false
  }

  /// Moves the files of a committed batch into place and removes its commit record.
  ///
  /// - Returns: whether every temporary file existed. A missing temporary file
  ///   was moved into place by an earlier attempt, or removed by another program.
  func finish(_ batch: PendingBatch, under lock: borrowing FileLock) throws(StorageError) -> Bool {
    // A caller that is listing the folder must list it again.
    try lock.advance(.batches)
    var isComplete = true
    for step in batch.steps {
      if try !perform(step) { isComplete = false }
    }
    try synchronizeFolders(of: batch.steps)
    try removeRecord()
    try flushNames()
    return isComplete
  }

  /// Undoes a batch whose commit record is in place but cannot be flushed.
  ///
  /// - Returns: whether the removal of the record was flushed to the disk. If not, a power failure
  ///   may restore the record, so the temporary files that it names must not be removed.
  func undoCommit(under lock: borrowing FileLock) -> Bool {
    // Readers may have seen the record. Remove it even if the counter cannot be advanced.
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

  /// Makes a single change that needs no commit record,
  /// and flushes the changed folders to the disk.
  ///
  /// - Throws: any error of the change. If the change succeeds and the flush fails, throws an error
  ///   whose message says that the write is in place, but that a power failure may undo the write.
  func performAndFlush(_ step: PendingBatch.Step) throws(StorageError) {
    guard try perform(step) else { throw Self.missingTemporaryFile(in: path) }
    do throws(StorageError) { try synchronizeFolders(of: [step]) } catch {
      throw error.afterChange("the write", of: path + "/" + step.file)
    }
  }

  /// Makes one change of a batch: moves a temporary file to its final path, or removes a file.
  ///
  /// After an interruption, the same step can be performed again.
  ///
  /// - Returns: whether the temporary file existed, or `true` for every removal.
  private func perform(_ step: PendingBatch.Step) throws(StorageError) -> Bool {
    switch step {
    case .set(let file, let temporary):
      return try within(file, creating: true) { (parent, name) throws(StorageError) in
        let result = Platform.retrying { renameat(root.raw, temporary, parent.raw, name) }
        if result == 0 { return true }
        guard errno == ENOENT else { throw .system("replace", parent.path + "/" + name) }
        return false
      } ?? false
    case .remove(let file):
      _ = try within(file, creating: false) { (parent, name) throws(StorageError) in
        try watched.removing(file) { () throws(StorageError) in
          if Platform.retrying({ unlinkat(parent.raw, name, 0) }) == 0 { return true }
          guard errno == ENOENT else { throw .system("remove", parent.path + "/" + name) }
          return false
        }
      }
      return true
    }
  }

  /// Flushes the folders of the files that were moved into place or removed, and all their parent
  /// folders.
  ///
  /// A parent folder is flushed because a killed writer may have created it without flushing its
  /// directory entry. Each folder is flushed once, because a flush costs far more than a rename.
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
      _ = try within(folder + "/", creating: false) { (parent, _) throws(StorageError) in
        try parent.synchronize()
      }
    }
    try root.synchronize()
  }

  static func missingTemporaryFile(in path: String) -> StorageError {
    StorageError(
      .io,
      """
      cannot finish a write to the folder \(quoted(path)): another program removed a temporary \
      file or a subfolder of this folder
      """,
      suggestion: "use a folder that no other store or program changes, and repeat the write")
  }
}
