#if SyncServer
  import HTTPTypes
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// A request to wait until the version of a scope changes.
  struct WaitRequest {
    /// The longest wait in milliseconds.
    static let maximumMilliseconds: Int64 = 60_000

    /// The maximum number of bytes of the request.
    static let maximumBytes = 1 << 20

    /// The versions that the client knows.
    var heads: [SyncPoke] = []
    var milliseconds: Int64

    /// Reads the request from JSON.
    ///
    /// - Throws: the problem 400 for any other JSON, and 426 for another version of the protocol.
    init(_ body: Data) throws(ServerProblem) {
      guard case .object(let members)? = try? JSONReader.read(body),
        case .integer(let version)? = members["protocol"]
      else { throw Self.malformed }
      guard version == syncProtocolVersion else {
        throw ServerProblem(
          .upgradeRequired, code: "notSupported",
          "the server supports only version \(syncProtocolVersion) of the protocol",
          suggestion: "update this application, or the server")
      }
      guard case .object(let scopes)? = members["scopes"],
        case .integer(let milliseconds)? = members["milliseconds"], milliseconds >= 0
      else { throw Self.malformed }
      self.milliseconds = min(milliseconds, Self.maximumMilliseconds)
      for (scope, head) in scopes {
        guard case .integer(let head) = head else { throw Self.malformed }
        heads.append(SyncPoke(scope: ScopeIdentifier(scope.text), head: head))
      }
    }

    private static let malformed = ServerProblem(
      .badRequest, code: "decodingFailed", "the body is not a request to wait",
      suggestion: "compare the request with Docs/Formats/SyncHTTP.md")
  }
#endif
