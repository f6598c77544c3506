#if SyncServer
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  extension SyncResponder {
    /// Answers with a stream of pokes. (server-sent events)
    func events(
      _ request: Request, _ account: Account, _ context: ConnectionContext
    ) async throws -> Response {
      let names = request.uri.queryParameters.getAll("scope").map { String($0) }
      let scopes = try readable(names.map { ScopeIdentifier($0) }, account)
      let hub = core.events
      let channel = context.channel
      let (number, mailbox) = try hub.open(account, scopes) { channel.close(promise: nil) }
      // The stream is open before the versions are read, so that no poke between them is lost.
      do {
        for poke in try await heads(of: scopes) { mailbox.post(poke) }
      } catch {
        hub.close(number)
        throw error
      }
      channel.closeFuture.whenComplete { _ in
        mailbox.end()
        hub.close(number)
      }
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/event-stream", .cacheControl: "no-store",
          // Proxies such as nginx would otherwise buffer the events.
          .accelBuffering: "no",
        ],
        body: ResponseBody { writer in
          defer { hub.close(number) }
          try await writer.write(ByteBuffer(string: ": connected\n\n"))
          while true {
            switch await mailbox.next() {
            case .pokes(let pokes):
              try await writer.write(ByteBuffer(string: pokes.map(\.event).joined()))
            case .heartbeat: try await writer.write(ByteBuffer(string: ": heartbeat\n\n"))
            case .end: return try await writer.finish(nil)
            }
          }
        })
    }

    /// Answers when the version of a scope differs from the one that the client knows, after a
    /// time, or when the client disconnects. (long polling)
    func wait(
      _ request: Request, _ account: Account, _ context: ConnectionContext,
      _ exchange: inout Exchange
    ) async throws -> Response {
      let (body, encoding) = try await body(
        of: request, limit: WaitRequest.maximumBytes, context, &exchange)
      core.bodies.release(body.reservedBytes)
      let wait = try WaitRequest(try encoding.decode(body.buffer, limit: WaitRequest.maximumBytes))
      let scopes = try readable(wait.heads.map(\.scope), account)
      let hub = core.events
      let channel = context.channel
      let (number, mailbox) = try hub.open(account, scopes) { channel.close(promise: nil) }
      defer { hub.close(number) }
      // A client that has disconnected must not occupy its stream until the time has passed.
      channel.onInputClose { mailbox.end() }
      defer { channel.onInputClose(nil) }
      let known = Dictionary(wait.heads.map { ($0.scope, $0.head) }, uniquingKeysWith: { $1 })
      var heads = try await heads(of: scopes)
      if !heads.contains(where: { known[$0.scope] != $0.head }) {
        let timer = context.channel.eventLoop.scheduleTask(in: .milliseconds(wait.milliseconds)) {
          mailbox.end()
        }
        defer { timer.cancel() }
        waiting: while true {
          switch await mailbox.next() {
          case .pokes(let pokes):
            if pokes.contains(where: { known[$0.scope] != $0.head }) { break waiting }
          case .heartbeat: continue
          case .end: break waiting
          }
        }
        guard !core.isStopping else { throw ServerProblem.stopping }
        heads = try await self.heads(of: scopes)
      }
      let members = heads.map { ($0.scope.exact, JSONValue.integer($0.head)) }
      let answer = JSONValue.object([
        "protocol": .integer(syncProtocolVersion),
        "scopes": .object(Dictionary(members, uniquingKeysWith: { $1 })),
      ])
      return Self.response(JSONWriter.data(answer), .ok, isCompressed: false)
    }

    /// Returns the scopes that an account may read.
    ///
    /// - Throws: the problem 400 if there are none or too many scopes, and 403 if the account may
    ///   read none of them.
    private func readable(
      _ scopes: [ScopeIdentifier], _ account: Account
    ) throws(ServerProblem) -> [ScopeIdentifier] {
      let maximum = core.limits.streamScopes
      guard (1...max(maximum, 1)).contains(scopes.count),
        scopes.allSatisfy({ (1...1024).contains($0.text.utf8.count) && !$0.text.utf8.contains(0) })
      else {
        throw ServerProblem(
          .badRequest, code: "decodingFailed",
          """
          the request must name 1 to \(maximum) scopes, whose identifiers have 1 to 1024 bytes \
          without NUL
          """, suggestion: "compare the request with Docs/Formats/SyncHTTP.md")
      }
      let server = core.server.limited { account.access(to: $0) }
      let readable = Set(scopes).filter { server.access(account.name, $0) >= .read }
      guard !readable.isEmpty else {
        throw ServerProblem(
          .forbidden, code: "accessDenied", "the account may not read the requested scopes",
          suggestion: "sign in with an account that has this access")
      }
      return readable.sorted()
    }

    /// Returns the versions of the scopes that exist.
    private func heads(of scopes: [ScopeIdentifier]) async throws -> [SyncPoke] {
      let server = core.server
      return try await core.workers.run {
        try scopes.compactMap { scope in
          try server.head(of: scope).map { SyncPoke(scope: scope, head: $0) }
        }
      }
    }
  }

  extension SyncPoke {
    /// The poke as an event of a stream.
    fileprivate var event: String {
      let data = JSONWriter.data(
        .object(["scope": .string(scope.text), "head": .integer(head)]))
      return "event: poke\nid: \(head)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
    }
  }

  extension HTTPField.Name {
    fileprivate static let accelBuffering = HTTPField.Name("X-Accel-Buffering") ?? .date
  }
#endif
