#if SyncServer
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import UndercroftCore
  import UndercroftSync

  /// An error of a request, which becomes an answer with problem details. (RFC 9457)
  struct ServerProblem: Error {
    var status: HTTPResponse.Status
    /// The stable name of the error, such as "tooLarge".
    var code: String
    /// The failure and its reason.
    var detail: String
    /// The recommended action, or `nil` if there is none.
    var suggestion: String?
    /// The seconds after which the client may repeat the request, or `nil` if this is not known.
    var retryAfter: Int?
    /// The methods of the path, for the status 405.
    var allowedMethods: String?
    /// Whether the connection is closed after the answer, because the request was not read to its
    /// end.
    var closesConnection = false
    /// The error behind the problem, or `nil` if the problem has no other cause.
    var underlying: (any Error)?

    /// Creates a problem from its parts.
    init(
      _ status: HTTPResponse.Status, code: String, _ detail: String, suggestion: String? = nil,
      retryAfter: Int? = nil, allowedMethods: String? = nil, closesConnection: Bool = false,
      underlying: (any Error)? = nil
    ) {
      self.status = status
      self.code = code
      self.detail = detail
      self.suggestion = suggestion
      self.retryAfter = retryAfter
      self.allowedMethods = allowedMethods
      self.closesConnection = closesConnection
      self.underlying = underlying
    }

    /// The reason for the log, which for a failure of the server can describe its inside and is
    /// not sent.
    var cause: String {
      guard status.kind == .serverError else { return detail }
      return switch underlying {
      case let problem as ServerProblem: problem.cause
      case let error?: "\(error)"
      case nil: detail
      }
    }

    /// The body of the answer.
    var body: ByteBuffer {
      var members: [ExactString: JSONValue] = [
        "type": .string("about:blank"), "title": .string(status.reasonPhrase),
        "status": .integer(Int64(status.code)), "detail": .string(detail), "code": .string(code),
      ]
      if let suggestion { members["suggestion"] = .string(suggestion) }
      return ByteBuffer(bytes: JSONWriter.data(.object(members)))
    }

    /// The fields of the answer that depend on the problem.
    var fields: HTTPFields {
      var fields: HTTPFields = [
        .contentType: "application/problem+json", .cacheControl: "no-store",
      ]
      if let retryAfter { fields[.retryAfter] = String(retryAfter) }
      if let allowedMethods { fields[.allow] = allowedMethods }
      if status == .unauthorized { fields[.wwwAuthenticate] = "Bearer" }
      return fields
    }
  }
#endif
