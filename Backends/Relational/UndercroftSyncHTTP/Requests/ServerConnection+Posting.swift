#if SyncHTTP
  import AsyncHTTPClient
  import Logging
  import NIOCore
  import NIOHTTP1
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncTimeouts

  extension ServerConnection {
    /// Sends a message, and returns the message with which the server answers.
    ///
    /// The message is sent again after a failed connection, and after an answer of an overloaded
    /// server. If the server refuses the token, the message is sent once more with another token.
    func post(_ message: OutgoingMessage) async throws -> Data {
      // The application is not asked for a token that no request can use.
      _ = try requireServer()
      try schedule.requireResumption()
      var token = try await tokens.token()
      var (attempt, isTokenRenewed) = (1, false)
      while true {
        try Task.checkCancellation()
        // The answer to another request may have begun a pause during a wait.
        try schedule.requireResumption()
        switch try await send(message, token) {
        case .message(let body): return body
        case .refusedToken(let failure):
          guard !isTokenRenewed else {
            await tokens.refuse(token)
            throw failure
          }
          token = try await tokens.token(replacing: token)
          isTokenRenewed = true
        case .temporary(let failure, let demandedWait):
          Logger(label: "undercroft").debug("\(failure)")
          let isRepeated = try await schedule.waitForNextAttempt(
            after: attempt, demanded: demandedWait)
          guard isRepeated else { throw failure }
          attempt += 1
        }
      }
    }

    /// Sends a message once.
    ///
    /// - Throws: the error if the message must not be sent again.
    private func send(_ message: OutgoingMessage, _ token: String) async throws -> AttemptResult {
      let (address, clients) = try requireServer()
      var request = request(
        .POST, address.url(of: message.endpoint), token: token, identifier: message.identifier)
      message.add(to: &request)
      if options.usesCompression { request.headers.add(name: "Accept-Encoding", value: "gzip") }
      let (complete, client) = (request, message.isPoll ? clients.streams : clients.requests)
      let answer: ServerAnswer
      do {
        answer = try await withTimeout(
          options.requestTimeout.timeAmount, on: client.eventLoopGroup.any()
        ) {
          try await self.read(client.execute(complete, deadline: .distantFuture))
        }
      } catch {
        let failure = failure(error, host: address.host)
        guard ConnectionFailure.isTemporary(error), let failure = failure as? StorageError,
          failure.code == .unavailable
        else { throw failure }
        return .temporary(failure, demandedWait: nil)
      }
      if answer.isMessage { return .message(answer.body) }
      let failure = StorageError.answered(
        answer, by: address.host, request: message.identifier, token: token)
      if answer.status == 401 { return .refusedToken(failure) }
      guard answer.isTemporary else { throw failure }
      return .temporary(failure, demandedWait: demandedWait(in: answer.headers))
    }
  }

  /// The result of sending a message once.
  private enum AttemptResult {
    /// The server has answered with a message.
    case message(Data)
    /// The server has refused the token.
    case refusedToken(StorageError)
    /// The same message can succeed later, after the given milliseconds if the server demands a
    /// wait.
    case temporary(StorageError, demandedWait: Int64?)
  }
#endif
