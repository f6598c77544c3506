#if SyncServer
  import HTTPTypes
  import Hummingbird
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// The responder for all requests of a server.
  struct SyncResponder: HTTPResponder {
    typealias Context = ConnectionContext

    let core: ServerCore
    /// Whether the responder answers requests of replicas.
    let servesReplicas: Bool
    /// Whether the responder answers requests for health and metrics.
    let servesAdministration: Bool

    /// The facts of a request for the log and the metrics.
    struct Exchange {
      let identifier: String
      var route: Route?
      var account: String?
      var requestBytes = 0
      /// Whether the server has begun to read the body of the request.
      var isBodyRead = false
      /// The problem that the answer describes.
      var problem: ServerProblem?
      /// The error of the connection, after which no answer can be sent.
      var connectionError: (any Error)?
    }

    /// Answers a request in a task of its own.
    ///
    /// A task retains the memory of its deepest call until it ends, and that of a connection ends
    /// with the connection. An idle event stream would otherwise need 7 KB more in a debug build.
    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
      async let response = answer(request, context)
      return try await response
    }

    private func answer(_ request: Request, _ context: ConnectionContext) async throws -> Response {
      let start = ContinuousClock.now
      var exchange = Exchange(identifier: request.headers.requestIdentifier)
      var response: Response
      var isLast = false
      do {
        response = try await answer(request, context, &exchange)
      } catch {
        if let connectionError = exchange.connectionError { throw connectionError }
        let problem = (error as? ServerProblem) ?? ServerProblem(error)
        exchange.problem = problem
        isLast = problem.closesConnection
        response = Self.response(problem)
      }
      response.headers[.requestIdentifier] = exchange.identifier
      if request.method == .head { response = response.createHeadResponse() }
      let bodySeconds = min(core.limits.bodySeconds, LingeringCloseHandler.maximumSeconds)
      if isLast || !exchange.isBodyRead && Self.hasLongBody(request) {
        response = await response.closing(
          context.channel, within: bodySeconds, bodyBytes: core.limits.bodyBytes)
      } else if !exchange.isBodyRead, request.headers.bodyLength ?? 0 > 0 {
        response = response.discarding(request.body, on: context.channel, within: bodySeconds)
      }
      note(exchange, response, since: start)
      return response
    }

    private func answer(
      _ request: Request, _ context: ConnectionContext, _ exchange: inout Exchange
    ) async throws -> Response {
      guard let route = Route(path: request.uri.path),
        route.isAdministrative ? servesAdministration : servesReplicas
      else {
        throw ServerProblem(
          .notFound, code: "notFound", "the server has no such path",
          suggestion: "verify the address of the server")
      }
      exchange.route = route
      guard route.methods.contains(request.method) else {
        let methods = route.methods.map(\.rawValue).joined(separator: ", ")
        throw ServerProblem(
          .methodNotAllowed, code: "methodNotAllowed", "the path allows only \(methods)",
          allowedMethods: methods)
      }
      if route.isAdministrative { return try await administer(route) }
      guard !core.isStopping else { throw ServerProblem.stopping }
      let account = try await authenticate(request)
      exchange.account = account.name
      if let seconds = core.rates.count(account.name.exact) {
        throw ServerProblem(
          .tooManyRequests, code: "tooManyRequests", "the account sends too many requests",
          suggestion: "send fewer requests", retryAfter: max(1, Int(seconds.rounded(.up))))
      }
      switch route {
      case .message(let endpoint):
        return try await exchangeMessage(endpoint, request, account, context, &exchange)
      case .events: return try await events(request, account, context)
      case .wait: return try await wait(request, account, context, &exchange)
      case .live, .ready, .metrics: return try await administer(route)
      }
    }

    private func authenticate(_ request: Request) async throws -> Account {
      guard let token = request.headers.bearerToken else {
        throw Self.unauthenticated("the request has no bearer token")
      }
      do {
        let account = try await core.authenticator.authenticate(token)
        if let expiration = account.expiration, expiration <= Date() {
          throw TokenRefusal("the token has expired")
        }
        return account
      } catch let refusal as TokenRefusal {
        throw Self.unauthenticated(refusal.reason)
      }
    }

    private static func unauthenticated(_ reason: String) -> ServerProblem {
      ServerProblem(
        .unauthorized, code: "unauthenticated", "the request is not authenticated: \(reason)",
        suggestion: "sign in again, or ask the operator of the server for a token")
    }

    /// Whether a body that was not read is so long that the connection is closed after the answer.
    ///
    /// A shorter one is read and discarded, so that the connection can be used again.
    private static func hasLongBody(_ request: Request) -> Bool {
      // A client that expects permission to send the body does not send it.
      request.headers.contains(.transferEncoding) || request.headers.contains(.expect)
        || request.headers.bodyLength ?? 0 > 1 << 16
    }

    /// Returns the answer with the details of a problem.
    private static func response(_ problem: ServerProblem) -> Response {
      Response(
        status: problem.status, headers: problem.fields,
        body: ResponseBody(byteBuffer: problem.body))
    }
  }
#endif
