import UndercroftCore
import UndercroftInspection

extension StorageError {
  /// The same error with the options that read a store beside its writer as the suggestion, if the
  /// error is ``StorageError/Code/busy``.
  ///
  /// The error of copying a store is returned unchanged, because another copy would also fail.
  var suggestingOptions: StorageError {
    guard code == .busy, !(underlying is StoreCopy.Changed) else { return self }
    // Only commands that write wait for a lock.
    guard !failure.contains("cannot lock") else {
      return StorageError(
        code, failure, suggestion: "repeat the command later, or pass --wait SECONDS",
        backend: backend, key: key, underlying: underlying)
    }
    return StorageError(
      code, failure,
      suggestion: """
        repeat the command with --snapshot to read a private copy of the store, or with --lock to \
        hold a shared lock on a database
        """,
      backend: backend, key: key, underlying: underlying)
  }
}
