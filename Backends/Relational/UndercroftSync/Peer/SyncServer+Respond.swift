public import UndercroftFoundation

extension SyncServer {
  /// Answers a request of an account whose identity was verified.
  ///
  /// A refusal of the protocol, such as that a replica must pull a snapshot, is an answer. If this
  /// function throws, the request has changed nothing on the server.
  ///
  /// - Throws: a `StorageError`: `decodingFailed`, `notSupported` or `tooLarge` for a message that
  ///   cannot be read, `accessDenied` if the account may not make the request, and the errors of
  ///   the store.
  public func respond(to request: SyncRequest, account: String) throws -> Data {
    let body = request.body
    switch request.endpoint {
    case .hello:
      return try hello(try HelloRequest(decoding: body), account: account).encoded()
    case .push:
      let packet = try SyncPacket(decoding: body)
      return try push(packet, account: account, bytes: body.count).encoded()
    case .pull:
      return try pull(try PullRequest(decoding: body), account: account).encoded()
    case .digest:
      return try digest(try DigestRequest(decoding: body), account: account).encoded()
    }
  }
}
