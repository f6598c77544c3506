import UndercroftCore

extension StorageError {
  /// Returns the error of a synchronisation, which names the scope and a suggestion.
  static func synchronising(_ scope: ScopeIdentifier, failedWith error: any Error) -> StorageError {
    let failure = "cannot synchronise the scope \(quoted(scope.text))"
    guard let error = error as? StorageError else {
      return StorageError(
        .unavailable, "\(failure): the server cannot be reached",
        suggestion: "verify the connection to the server", backend: "sync", underlying: error)
    }
    return StorageError(
      error.code, error.failure.hasPrefix(failure) ? error.failure : error.within(failure).failure,
      suggestion: error.suggestion ?? "synchronise again later; no change was lost",
      backend: error.backend ?? "sync", key: error.key, underlying: error.underlying)
  }

  /// The error for an answer that has a valid form and makes no sense.
  static func nonsense(_ message: String) -> StorageError {
    StorageError(
      .unavailable, "the server has sent \(message)",
      suggestion: "verify that the address of the server is correct", backend: "sync")
  }

  /// The error for an application that the server no longer supports.
  static func upgradeRequired(_ minimum: Int64) -> StorageError {
    StorageError(
      .notSupported, "the server requires version \(minimum) of the schema or a later one",
      suggestion: "install a newer version of the application", backend: "sync")
  }

  /// The error for an account without access.
  static func noAccess(to verb: String) -> StorageError {
    StorageError(
      .accessDenied, "the account is not allowed to \(verb) the scope",
      suggestion: "ask the owner of the scope for access", backend: "sync")
  }
}
