#if SyncServer
  import NetworkTestSupport
  import TestSupport

  extension ServerProcess {
    /// Sends a request on a new connection without TLS, and returns the answer.
    func send(_ request: HTTPRequestText) async throws -> HTTPAnswer {
      guard let port else { throw Failure(description: "the server does not listen") }
      return try await onNewThread {
        let connection = try RawConnection(port: port)
        try connection.send(request.data)
        return try connection.readAnswer()
      }
    }
  }
#endif
