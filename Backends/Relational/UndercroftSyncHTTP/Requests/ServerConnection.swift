#if SyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import Synchronization
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncCompression

  /// The requests of a peer to its server.
  final class ServerConnection: Sendable {
    let options: HTTPSyncOptions
    let environment: SyncEnvironment
    let tokens: TokenSource
    let schedule: RetrySchedule
    private let server: Result<(address: ServerAddress, clients: HTTPClients), StorageError>
    private let isClosed = Mutex(false)

    init(
      _ url: URL, _ options: HTTPSyncOptions, _ environment: SyncEnvironment,
      token: @escaping @Sendable (TokenRequest) async throws -> String
    ) {
      self.options = options
      self.environment = environment
      tokens = TokenSource(token)
      schedule = RetrySchedule(options, environment)
      server = Result { () throws(StorageError) in
        let address = try ServerAddress(url, allowsPlainHTTP: options.allowsPlainHTTP)
        return (address, try HTTPClients(for: address, options))
      }
    }

    /// Ends all requests, after which every request fails.
    func close() async {
      isClosed.withLock { $0 = true }
      await tokens.close()
      if case .success(let server) = server { await server.clients.close() }
    }

    /// Returns the verified address and the connection pools.
    func requireServer() throws(StorageError) -> (address: ServerAddress, clients: HTTPClients) {
      guard !isClosed.withLock({ $0 }) else { throw .peerIsClosed }
      return try server.get()
    }

    /// Returns a message in the form in which it is sent.
    func message(
      to endpoint: String, _ body: Data, isPoll: Bool = false
    ) -> OutgoingMessage {
      OutgoingMessage(
        to: endpoint, body, identifier: environment.makeIdentifier(), isPoll: isPoll,
        isCompressing: options.usesCompression)
    }

    /// Returns the error that `error` becomes for the caller of the peer.
    func failure(_ error: any Error, host: String) -> any Error {
      if isClosed.withLock({ $0 }) { return StorageError.peerIsClosed }
      if error is CancellationError || Task.isCancelled { return CancellationError() }
      return StorageError.connection(to: host, failedWith: error)
    }

    /// Returns a request with the headers that all requests have.
    func request(
      _ method: HTTPMethod, _ url: String, token: String, identifier: String
    ) -> HTTPClientRequest {
      var request = HTTPClientRequest(url: url)
      request.method = method
      request.headers = [
        "Authorization": "Bearer \(token)", "Request-Identifier": identifier,
        "User-Agent": "undercroft-sync/\(syncProtocolVersion)",
      ]
      return request
    }

    /// Returns the milliseconds for which the server demands to wait, or `nil`.
    func demandedWait(in headers: HTTPHeaders) -> Int64? {
      headers.first(name: "Retry-After").flatMap {
        RetryAfter.milliseconds($0, now: environment.now())
      }
    }

    /// Reads an answer, and decompresses its body.
    ///
    /// - Throws: ``AnswerError`` if a message is larger than every message of the protocol, or
    ///   cannot be decompressed.
    func read(_ response: HTTPClientResponse) async throws -> ServerAnswer {
      let answer = ServerAnswer(
        status: Int(response.status.code), headers: response.headers, body: Data())
      do {
        return ServerAnswer(
          status: answer.status, headers: answer.headers,
          body: try await body(of: response, limit: answer.maximumBytes))
      } catch {
        // The status explains an error without the body. The rest of the answer can be lost if the
        // server refuses a request before it has read the whole body.
        let isExplained = error is AnswerError || answer.status >= 400
        guard isExplained, !answer.isMessage, !Task.isCancelled else { throw error }
        return answer
      }
    }

    private func body(of response: HTTPClientResponse, limit: Int) async throws -> Data {
      let isCompressed =
        switch response.headers.first(name: "Content-Encoding")?.trimmingASCIISpace.lowercased() {
        case nil, "", "identity": false
        case "gzip", "x-gzip": true
        default: throw AnswerError.unknownEncoding
        }
      do {
        let decoder = isCompressed ? try GzipDecoder(limit: limit) : nil
        var (body, count) = (Data(), 0)
        for try await part in response.body {
          count += part.readableBytes
          guard count <= limit else { throw AnswerError.tooLarge }
          if let decoder {
            try decoder.append(Data(part.readableBytesView))
          } else {
            part.withUnsafeReadableBytes { body.append(contentsOf: $0) }
          }
        }
        // The body of a cancelled request can end without an error.
        try Task.checkCancellation()
        return try decoder?.finish() ?? body
      } catch let error as GzipError {
        throw AnswerError(error)
      }
    }
  }
#endif
