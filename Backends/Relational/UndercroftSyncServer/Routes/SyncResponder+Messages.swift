#if SyncServer
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncCompression

  extension SyncResponder {
    /// The media type of the messages of the protocol.
    static let mediaType = "application/vnd.undercroft.sync.v1+json"

    /// Answers a request with a message of the protocol.
    func exchangeMessage(
      _ endpoint: SyncRequest.Endpoint, _ request: Request, _ account: Account,
      _ context: ConnectionContext, _ exchange: inout Exchange
    ) async throws -> Response {
      let (core, acceptsGzip) = (core, request.headers.acceptsGzip)
      let (body, encoding) = try await body(
        of: request, limit: core.limits.bodyBytes, context, &exchange)
      defer { core.bodies.release(body.reservedBytes) }
      let (answer, kind, isCompressed) = try await core.workers.run {
        let message = try encoding.decode(body.buffer, limit: core.limits.bodyBytes)
        let request = SyncRequest(endpoint, body: message)
        let server = core.server.limited { account.access(to: $0) }
        let (answer, kind) = try server.answer(to: request, account: account.name) { scopes in
          try core.usage?.admit(
            UsedScopes(scopes, endpoint, bytes: message.count, by: account), on: server)
        }
        guard acceptsGzip, answer.count >= Gzip.threshold,
          let compressed = Gzip.compress(answer)
        else { return (answer, kind, false) }
        return (compressed, kind, true)
      }
      return Self.response(answer, kind.status, isCompressed: isCompressed)
    }

    /// Returns an answer with a message of the protocol.
    static func response(
      _ body: Data, _ status: HTTPResponse.Status, isCompressed: Bool
    ) -> Response {
      var headers: HTTPFields = [.contentType: mediaType, .cacheControl: "no-store"]
      // Field values of HTTP also select the stored answers of caches.
      headers[.vary] = "Accept-Encoding"
      if isCompressed { headers[.contentEncoding] = "gzip" }
      return Response(
        status: status, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// A body, and the number of bytes that are reserved for it.
    struct ReceivedBody: Sendable {
      let buffer: ByteBuffer
      let reservedBytes: Int
    }

    /// Reads the body of a request with a message of the protocol.
    ///
    /// - Parameter limit: the maximum number of bytes.
    func body(
      of request: Request, limit: Int, _ context: ConnectionContext, _ exchange: inout Exchange
    ) async throws -> (ReceivedBody, BodyEncoding) {
      guard request.headers.mediaType == Self.mediaType else {
        throw ServerProblem(
          .unsupportedMediaType, code: "unsupportedMediaType",
          "the content type of the request is not \(Self.mediaType)",
          suggestion: "send the message with the content type \(Self.mediaType)")
      }
      let encoding = try BodyEncoding(request.headers)
      let length = request.headers.bodyLength
      guard length ?? 0 <= limit else { throw Self.tooLarge(limit) }
      let reserved = length ?? limit
      guard core.bodies.reserve(reserved) else {
        throw ServerProblem.unavailable("the server is busy: it holds too many bytes of bodies")
      }
      var isReserved = true
      defer { if isReserved { core.bodies.release(reserved) } }
      exchange.isBodyRead = true
      let reading = await request.body.read(
        limit: limit, within: core.limits.bodySeconds, on: context.channel.eventLoop)
      switch reading {
      case .complete(let buffer):
        exchange.requestBytes = buffer.readableBytes
        guard length == nil || length == buffer.readableBytes else {
          throw ServerProblem(
            .badRequest, code: "decodingFailed", "the body of the request ends early",
            closesConnection: true)
        }
        isReserved = false
        return (ReceivedBody(buffer: buffer, reservedBytes: reserved), encoding)
      case .tooLarge: throw Self.tooLarge(limit)
      case .late:
        throw ServerProblem(
          .requestTimeout, code: "timeout",
          "the body of the request did not arrive within \(core.limits.bodySeconds) seconds",
          suggestion: "send smaller packets", closesConnection: true)
      case .failed(let error):
        exchange.connectionError = error
        throw error
      }
    }

    private static func tooLarge(_ limit: Int) -> ServerProblem {
      ServerProblem(
        .contentTooLarge, code: "tooLarge",
        "the body of the request has more than \(limit) bytes, the maximum",
        suggestion: "send fewer operations in each packet", closesConnection: true)
    }
  }

  extension AnswerKind {
    /// The status of an answer of this kind.
    fileprivate var status: HTTPResponse.Status {
      switch self {
      case .complete: .ok
      case .held: .accepted
      case .refused: .conflict
      case .upgradeRequired: .upgradeRequired
      }
    }
  }
#endif
