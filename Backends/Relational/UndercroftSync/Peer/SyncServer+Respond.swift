public import UndercroftFoundation

/// The kind of an answer, from which a server derives the status of HTTP.
package enum AnswerKind: Sendable, Hashable {
  /// The results or the page that was requested.
  case complete
  /// The packet waits for earlier operations.
  case held
  /// The request was refused, and the replica can continue after it has done what the refusal says.
  case refused
  /// The request was refused because the application is too old.
  case upgradeRequired
}

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
    try answer(to: request, account: account).body
  }

  /// Answers a request as ``respond(to:account:)`` does, and also returns the kind of the answer.
  ///
  /// - Parameter admit: receives the scopes of the request after the request was decoded and before
  ///   it is processed. If the closure throws, the request is not processed.
  package func answer(
    to request: SyncRequest, account: String,
    admit: (_ scopes: [ScopeIdentifier]) throws -> Void = { _ in }
  ) throws -> (body: Data, kind: AnswerKind) {
    let body = request.body
    switch request.endpoint {
    case .hello:
      let hello = try HelloRequest(decoding: body)
      try admit(hello.scopes)
      return (try self.hello(hello, account: account).encoded(), .complete)
    case .push:
      let packet = try SyncPacket(decoding: body)
      try admit([packet.scope])
      let answer = try push(packet, account: account, bytes: body.count)
      return (try answer.encoded(), answer.kind)
    case .pull:
      let pull = try PullRequest(decoding: body)
      try admit([pull.scope])
      let answer = try self.pull(pull, account: account)
      return (try answer.encoded(), answer.kind)
    case .digest:
      let digest = try DigestRequest(decoding: body)
      try admit([digest.scope])
      return (try self.digest(digest, account: account).encoded(), .complete)
    }
  }
}

extension PushAnswer {
  fileprivate var kind: AnswerKind {
    switch self {
    case .results: .complete
    case .held: .held
    case .refused(let refusal): refusal.kind
    }
  }
}

extension PullAnswer {
  fileprivate var kind: AnswerKind {
    switch self {
    case .page: .complete
    case .refused(let refusal): refusal.kind
    }
  }
}

extension SyncRefusal {
  fileprivate var kind: AnswerKind {
    if case .upgradeRequired = self { .upgradeRequired } else { .refused }
  }
}
