package import UndercroftCore

extension Folder {
  /// Flushes an open folder after a file was created, renamed or removed in it.
  ///
  /// - Parameters:
  ///   - folder: the open folder.
  ///   - change: a description of the completed change
  ///     for the error message, such as "the new file".
  ///   - path: the path of the file for the error message.
  /// - Throws: an error whose message says that the change is
  ///   in place, but that a power failure may undo the change.
  package static func synchronize(
    _ folder: borrowing Descriptor, after change: String, of path: String
  ) throws(StorageError) {
    do throws(StorageError) { try folder.synchronize() } catch {
      throw error.afterChange(change, of: path)
    }
  }
}

extension StorageError {
  /// The suggestion of this error, followed by the advice to repeat the failed call.
  package var suggestionToRepeat: String {
    suggestion.map { "\($0), and repeat the failed call" } ?? "repeat the failed call"
  }

  /// Returns the error to throw if names in a folder have
  /// changed and this error occurred when flushing the folder.
  package func afterChange(_ change: String, of path: String) -> StorageError {
    let reason = (underlying as? SystemError)?.description.lowercased() ?? failure
    return StorageError(
      code,
      """
      cannot flush the folder that contains \(quoted(path)) (\(reason)): \(change) is in place, \
      but a power failure may undo the change
      """,
      suggestion: suggestionToRepeat,
      underlying: underlying)
  }
}
