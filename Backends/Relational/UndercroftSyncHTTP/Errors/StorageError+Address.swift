#if SyncHTTP
  import UndercroftCore

  extension StorageError {
    /// Returns the error for the address of a server that a peer must not use.
    static func unusableAddress(_ reason: String, suggestion: String) -> StorageError {
      StorageError(
        .misuse, "cannot use the address of the synchronisation server: \(reason)",
        suggestion: suggestion, backend: "sync")
    }

    /// Returns the error for the address of a proxy that a peer cannot use.
    static func unusableProxy(_ reason: String) -> StorageError {
      StorageError(
        .misuse, "cannot use the proxy for the synchronisation server: \(reason)",
        suggestion: """
          correct HTTPSyncOptions.proxy or the variable https_proxy, http_proxy or all_proxy of \
          the environment
          """, backend: "sync")
    }

    /// Returns the error for a token that the application cannot supply.
    static func noToken(_ error: any Error) -> StorageError {
      if let error = error as? StorageError { return error.naming(backend: "sync") }
      // The text of the error is omitted, because it may contain a token.
      return StorageError(
        .unavailable,
        "the token closure of the HTTPSyncPeer threw an error of the type \(type(of: error))",
        suggestion: "verify the network connection, or log in again", backend: "sync",
        underlying: error)
    }

    /// The error for a token that a header cannot contain.
    static var malformedToken: StorageError {
      StorageError(
        .misuse,
        """
        the token closure of the HTTPSyncPeer has returned an empty token, or one with characters \
        that no token can contain
        """,
        suggestion: """
          return the token alone, without the word Bearer and without spaces or line breaks
          """,
        backend: "sync")
    }

    /// The error for a request of a peer that was closed.
    static var peerIsClosed: StorageError {
      StorageError(
        .misuse, "the HTTPSyncPeer was closed", suggestion: "create a new HTTPSyncPeer",
        backend: "sync")
    }

    /// The error for an answer to a poll that is no such answer.
    static var unreadablePollAnswer: StorageError {
      StorageError(
        .unavailable, "the server has sent no heads of scopes in answer to a poll",
        suggestion: "verify the address of the server", backend: "sync")
    }

    /// Returns the error for a request in the time in which the server accepts none.
    static func paused(_ seconds: Int64) -> StorageError {
      StorageError(
        .unavailable,
        "the server has demanded that no request is sent for another "
          + (seconds == 1 ? "second" : "\(seconds) seconds"),
        suggestion: "synchronise again after this time; no change was lost", backend: "sync")
    }
  }
#endif
