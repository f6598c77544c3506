package import UndercroftCore

extension Folder {
  /// Flushes an open folder after a file in it was put in place or removed.
  ///
  /// - Parameters:
  ///   - path: the path of the file, for the error.
  ///   - change: what is in place, such as "the new file".
  /// - Throws: an error which says that the change is in place for every process, and that a power
  ///   failure may undo it.
  package static func synchronize(
    _ folder: borrowing Descriptor, after change: String, of path: String
  ) throws(StorageError) {
    do throws(StorageError) { try folder.synchronize() } catch {
      throw error.afterChange(change, of: path)
    }
  }
}

extension StorageError {
  /// Returns the error to throw when a change of names is in place, and flushing it failed with this
  /// error.
  package func afterChange(_ change: String, of path: String) -> StorageError {
    let reason = (underlying as? SystemError)?.description.lowercased() ?? message
    return StorageError(
      code,
      "cannot flush the name of \(quoted(path)): \(reason): \(change) is in place, but a power"
        + " failure may undo that",
      cure: code == .full ? "free some room, and repeat the call" : "repeat the call",
      underlying: underlying)
  }
}
