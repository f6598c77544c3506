#if SyncHTTP
  import UndercroftCore

  /// The current token of a peer, which the application supplies.
  ///
  /// Requests that wait for a token at the same time share one call of the application's closure.
  actor TokenSource {
    private let provide: @Sendable (TokenRequest) async throws -> String
    private var current: String?
    private var refused: String?
    private var pending: Task<String, any Error>?

    init(_ provide: @escaping @Sendable (TokenRequest) async throws -> String) {
      self.provide = provide
    }

    /// Returns the current token, or asks the application for one if there is none.
    ///
    /// - Parameter refusedToken: a token that the server has refused. If it is still the current
    ///   token, the application is asked for another.
    /// - Throws: a `StorageError`, or `CancellationError` as soon as the calling task is cancelled.
    func token(replacing refusedToken: String? = nil) async throws -> String {
      if let refusedToken { refuse(refusedToken) }
      if let current { return current }
      let task = pending ?? request()
      return try await task.valueUnlessCancelled()
    }

    /// Discards a token that the server has refused.
    func refuse(_ token: String) {
      guard current == token else { return }
      current = nil
      refused = token
    }

    /// Cancels the call of the application's closure.
    func close() { pending?.cancel() }

    private func request() -> Task<String, any Error> {
      let reason: TokenRequest = refused.map { .refused($0) } ?? .initial
      let task = Task { try await self.receive(reason) }
      pending = task
      return task
    }

    private func receive(_ reason: TokenRequest) async throws -> String {
      defer { pending = nil }
      let token: String
      do { token = try await provide(reason) } catch { throw StorageError.noToken(error) }
      guard Self.isValid(token) else { throw StorageError.malformedToken }
      current = token
      return token
    }

    /// Returns whether a header can contain the token. (RFC 6750, `b64token`)
    ///
    /// The error of the HTTP library for an invalid header would contain the token.
    private static func isValid(_ token: String) -> Bool {
      !token.isEmpty
        && token.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
          default: "-._~+/=".utf8.contains(byte)
          }
        }
    }
  }
#endif
