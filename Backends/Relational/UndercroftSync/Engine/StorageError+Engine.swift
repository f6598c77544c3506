import UndercroftCore

extension StorageError {
  /// Returns the error that a failed synchronisation of a scope throws.
  ///
  /// The error names the scope and contains a suggestion. It retains the code of a `StorageError`.
  /// Any other error comes from code of the application, such as the peer, the cipher or an SQL
  /// function, and becomes ``StorageError/Code/unavailable``.
  static func synchronising(_ scope: ScopeIdentifier, failedWith error: any Error) -> StorageError {
    let failure = "cannot synchronise the scope \(quoted(scope.text))"
    guard let error = error as? StorageError else {
      return StorageError(
        .unavailable,
        """
        \(failure): the SyncPeer, the SyncValueCipher or other code of the application, such as an \
        SQL function, threw the error \(error)
        """,
        suggestion: """
          if the SyncPeer threw the error, verify the network connection and the address of the \
          server; if the SyncValueCipher threw the error, verify that the cipher can access its \
          encryption key; otherwise correct the code that threw the error
          """,
        backend: "sync", underlying: error)
    }
    return StorageError(
      error.code, error.failure.hasPrefix(failure) ? error.failure : error.within(failure).failure,
      suggestion: error.suggestion ?? "synchronise again later; no change was lost",
      backend: error.backend ?? "sync", key: error.key, underlying: error.underlying)
  }

  /// Returns the error for an answer that is well-formed but violates the protocol.
  ///
  /// - Parameter message: the description of the answer, which follows "the server has sent".
  static func nonsense(_ message: String) -> StorageError {
    StorageError(
      .unavailable, "the server has sent \(message)",
      suggestion: """
        verify that the SyncPeer returns the answer to each request unchanged, that the SyncPeer \
        connects to the correct server, and that the server supports version \
        \(syncProtocolVersion) of the protocol
        """, backend: "sync")
  }

  /// Returns the error for an application whose version of the schema the
  /// server no longer supports.
  ///
  /// - Parameters:
  ///   - minimum: the oldest version of the schema that the server supports.
  ///   - version: the version of the schema of the application.
  static func upgradeRequired(_ minimum: Int64, not version: Int64) -> StorageError {
    StorageError(
      .notSupported,
      """
      the SyncEngine of this application has the schemaVersion \(version), but the server \
      requires at least \(minimum)
      """,
      suggestion: "install a newer version of the application", backend: "sync")
  }

  /// Returns the error for an account that is not allowed to read or change a scope.
  ///
  /// - Parameters:
  ///   - verb: the forbidden action in the message, such as "read".
  ///   - account: the account that has no access.
  static func noAccess(to verb: String, for account: String) -> StorageError {
    StorageError(
      .accessDenied, "the account \(quoted(account)) is not allowed to \(verb) this scope",
      suggestion: """
        use an account that has this access, or ask the operator of the server to grant the access
        """, backend: "sync")
  }
}
