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

  /// Finishes the batch that a dead writer left, if there is one.
  func finishPending(under lock: borrowing FileLock) throws(StorageError) {
    guard let batch = try PendingBatch.read(in: root) else { return }
    _ = try finish(batch, under: lock)
  }

  /// Puts a committed batch in place and removes its record.
  ///
  /// - Returns: whether every temporary was there; one that is missing was put in place before, if not by us then by a dead writer.
  func finish(_ batch: PendingBatch, under lock: borrowing FileLock) throws(StorageError) -> Bool {
    // Whoever is listing the folder is to look again.
    try lock.advance(.batches)
    var isWhole = true
    var touched: [Substring: String] = [:]
    for step in batch.steps {
      if try !carryOut(step) { isWhole = false }
      let folder = step.file.lastIndex(of: "/").map { step.file[..<$0] } ?? ""
      touched[folder] = step.file
    }
    // Each folder once: flushing costs far more than renaming.
    for file in touched.values { try synchronizeFolder(of: file) }
    guard unlinkat(root.raw, PendingBatch.fileName, 0) == 0 || errno == ENOENT else {
      throw .system("remove", path + "/" + PendingBatch.fileName)
    }
    try root.synchronize()
    return isWhole
  }

  /// Carries out a step that needs no record, and flushes it.
  func carryOutForTheFirstTime(_ step: PendingBatch.Step) throws(StorageError) {
    guard try carryOut(step) else { throw Self.vanished(from: path) }
    try synchronizeFolder(of: step.file)
  }

  /// Carries out one step; doing it again changes nothing.
  ///
  /// - Returns: whether the temporary was there; always for a removal.
  private func carryOut(_ step: PendingBatch.Step) throws(StorageError) -> Bool {
    switch step {
    case .set(let file, let temporary):
      return try within(file, making: true) { (place, name) throws(StorageError) in
        if renameat(root.raw, temporary, place.raw, name) == 0 { return true }
        guard errno == ENOENT else { throw .system("replace", place.path + "/" + name) }
        return false
      } ?? false
    case .remove(let file):
      _ = try within(file, making: false) { (place, name) throws(StorageError) in
        guard unlinkat(place.raw, name, 0) == 0 || errno == ENOENT else {
          throw .system("remove", place.path + "/" + name)
        }
      }
      return true
    }
  }

  private func synchronizeFolder(of file: String) throws(StorageError) {
    _ = try within(file, making: false) { (place, _) throws(StorageError) in
      try place.synchronize()
    }
  }

  static func vanished(from path: String) -> StorageError {
    StorageError(
      .io, "cannot keep all of a write to \(quoted(path)): a temporary of it has vanished",
      cure: "keep other stores and programs out of this folder, and write again")
  }
}
