#if SyncHTTP
  import NIOHTTP1
  import UndercroftCore
  import UndercroftFoundation

  extension StorageError {
    /// Returns the error for an answer that is not a message of the protocol.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - host: the host that was asked.
    ///   - request: the identifier of the request, by which an operator finds it in the log.
    ///   - token: the token of the request, which a server may repeat in its answer.
    static func answered(
      _ answer: ServerAnswer, by host: String, request: String, token: String
    ) -> StorageError {
      let kind = AnswerKind(answer)
      let problem = answer.problem
      var reason = problem?.detail ?? kind.reason
      if problem?.detail == nil, answer.mediaType != ServerAnswer.problemType, !kind.isExplained {
        reason += ", with a body of the type \(quoted(String(answer.mediaType.prefix(100))))"
      }
      let failure =
        "the server \(quoted(host)) answered the request \(request) with the status "
        + "\(answer.status): \(reason)"
      return StorageError(
        kind.code, failure.replacing(token, with: "(token)"),
        suggestion: (problem?.suggestion ?? kind.suggestion).replacing(token, with: "(token)"),
        backend: "sync")
    }
  }

  /// The code and the texts of an error for an answer without a description.
  private struct AnswerKind {
    let code: StorageError.Code
    let reason: String
    let suggestion: String
    /// Whether the status alone explains the error.
    var isExplained = true

    init(_ code: StorageError.Code, _ reason: String, suggestion: String) {
      (self.code, self.reason, self.suggestion) = (code, reason, suggestion)
    }

    init(_ answer: ServerAnswer) {
      switch answer.status {
      case 200..<300: self = Self.unexpectedContent
      case 300..<400: self = Self.redirect(to: answer.headers.first(name: "Location"))
      case 401:
        self.init(
          .accessDenied, "the server has refused the token",
          suggestion: "log in again, or ask the operator of the server for a new token")
      case 403:
        self.init(
          .accessDenied, "the account is not allowed to make this request",
          suggestion: "ask the operator of the server to grant the access")
      case 404, 405: self = Self.wrongAddress
      case 413:
        self.init(
          .tooLarge, "the request is too large",
          suggestion: "raise the limit of the server for the size of requests")
      case 426:
        self.init(
          .notSupported, "the server does not support this version of the protocol",
          suggestion: "install a newer version of the application")
      case 507:
        self.init(
          .full, "the account has used all storage that the server grants to it",
          suggestion: "delete data, or ask the operator of the server for more storage")
      case 408, 429, 500...:
        self.init(
          .unavailable, "the server cannot answer now",
          suggestion: "synchronise again later; no change was lost")
      default:
        self.init(
          .unavailable, "the server has refused the request",
          suggestion: "verify that the server supports this version of the protocol")
        isExplained = false
      }
    }

    private static var unexpectedContent: AnswerKind {
      var kind = AnswerKind(
        .unavailable, "the server has sent no message of the protocol",
        suggestion: """
          verify the address of the server, and that no login page of the network answers instead \
          of the server
          """)
      kind.isExplained = false
      return kind
    }

    private static var wrongAddress: AnswerKind {
      var kind = AnswerKind(
        .unavailable, "the server has no such endpoint",
        suggestion: "verify the address of the server, which is the part before /sync/v1")
      kind.isExplained = false
      return kind
    }

    /// Returns the error for a redirect, which is not followed, because it would send the token and
    /// the rows to another server.
    private static func redirect(to location: String?) -> AnswerKind {
      let target = location.map { quoted(String($0.prefix(300))) } ?? "an unknown address"
      return AnswerKind(
        .unavailable, "the server redirects to \(target)",
        suggestion: "verify this address, and pass it to the HTTPSyncPeer")
    }
  }
#endif
