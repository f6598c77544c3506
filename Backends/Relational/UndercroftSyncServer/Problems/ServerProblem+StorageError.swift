#if SyncServer
  import HTTPTypes
  import UndercroftCore

  extension ServerProblem {
    /// Creates the problem for an error that ``SyncServer`` or its store has thrown.
    ///
    /// The errors of the protocol name no backend, and only what the client has sent. The errors of
    /// a store describe the inside of the server, so their text is not sent.
    init(_ error: any Error) {
      guard let error = error as? StorageError else {
        self = error is CancellationError ? .stopping : .internalError(error)
        return
      }
      switch (error.code, error.backend) {
      case (.decodingFailed, nil): self.init(.badRequest, error)
      case (.notSupported, nil): self.init(.upgradeRequired, error)
      case (.accessDenied, nil): self.init(.forbidden, error)
      case (.tooLarge, nil): self.init(.contentTooLarge, error)
      case (.misuse, nil): self.init(.internalServerError, error)
      case (.locked, _), (.unavailable, _), (.interrupted, _), (.full, _):
        self = .unavailable(
          "the store of the server is not available", code: error.code.rawValue, underlying: error)
      default: self = .internalError(error)
      }
    }

    private init(_ status: HTTPResponse.Status, _ error: StorageError) {
      self.init(
        status, code: error.code.rawValue, error.failure, suggestion: error.suggestion,
        underlying: error)
    }

    /// Returns the problem for an error whose text is only logged.
    private static func internalError(_ error: any Error) -> ServerProblem {
      ServerProblem(
        .internalServerError, code: "internal", "the server has failed to process the request",
        suggestion: """
          ask the operator of the server to find the error in its log by the Request-Identifier of \
          this answer
          """, underlying: error)
    }

    /// Returns the problem for a server that cannot process the request now.
    static func unavailable(
      _ detail: String, code: String = "unavailable", underlying: (any Error)? = nil
    ) -> ServerProblem {
      ServerProblem(
        .serviceUnavailable, code: code, detail, suggestion: "repeat the request later",
        retryAfter: 1, underlying: underlying)
    }

    /// The problem for requests that arrive while the server stops.
    static let stopping = unavailable("the server is shutting down")
  }
#endif
