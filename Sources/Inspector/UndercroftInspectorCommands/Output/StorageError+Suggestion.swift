import UndercroftCore
import UndercroftInspection

extension StorageError {
  /// Returns the same error with a question whether a name is meant before the suggestion.
  func suggesting(_ name: String) -> StorageError {
    let question = "did you mean \(quoted(name))?"
    return StorageError(
      code, failure,
      suggestion: suggestion.map { "\(question) otherwise, \($0)" } ?? question,
      backend: backend, key: key, underlying: underlying)
  }

  /// The same error with the options that read a store beside its writer as the suggestion, if the
  /// error is ``StorageError/Code/busy``.
  ///
  /// The error of copying a store is returned unchanged, because another copy would also fail.
  var suggestingOptions: StorageError {
    guard code == .busy, !(underlying is StoreCopy.Changed) else { return self }
    // A command that writes suggests its own option.
    if let suggestion, suggestion.contains("--wait") { return self }
    return StorageError(
      code, failure,
      suggestion: """
        repeat the command with --snapshot to read a private copy of the store, or with --lock to \
        hold a shared lock on a database
        """,
      backend: backend, key: key, underlying: underlying)
  }
}
