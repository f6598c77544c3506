#if SyncHTTP
  import NIOHTTP1
  import UndercroftFoundation
  import UndercroftSync

  /// An answer of a server, or of a program between the peer and the server.
  struct ServerAnswer: Sendable {
    /// The media type of messages of the protocol.
    static let messageType = "application/vnd.undercroft.sync.v1+json"
    /// The media type of descriptions of errors. (RFC 9457)
    static let problemType = "application/problem+json"
    /// The statuses of answers of the protocol, which can be refusals.
    private static let messageStatuses: Set<Int> = [200, 202, 409, 426]
    /// The statuses after which the same request can succeed later.
    private static let temporaryStatuses: Set<Int> = [408, 429, 502, 503, 504]

    let status: Int
    let headers: HTTPHeaders
    /// The decompressed body.
    let body: Data

    /// Whether the body is a message of the protocol.
    var isMessage: Bool {
      Self.messageStatuses.contains(status) && mediaType == Self.messageType
    }

    /// The maximum number of bytes of the body, compressed and decompressed.
    var maximumBytes: Int { isMessage ? SyncLimits.messageBytes : 64 << 10 }

    /// Whether the same request can succeed later.
    var isTemporary: Bool { Self.temporaryStatuses.contains(status) }

    /// The media type in lower case, without parameters.
    var mediaType: String { Self.mediaType(of: headers) }

    /// The description of the error, or `nil` if there is none.
    var problem: Problem? {
      mediaType == Self.problemType ? Problem(body) : nil
    }

    /// Returns the media type in lower case, without parameters, or an empty text.
    static func mediaType(of headers: HTTPHeaders) -> String {
      let value = headers.first(name: "Content-Type") ?? ""
      return (value.split(separator: ";").first.map(String.init) ?? "")
        .trimmingASCIISpace.lowercased()
    }
  }

  extension String {
    /// The text without spaces and tabs at both ends.
    var trimmingASCIISpace: String {
      let isSpace = { (character: Character) in character == " " || character == "\t" }
      var text = self[...].drop(while: isSpace)
      while let last = text.last, isSpace(last) { text.removeLast() }
      return String(text)
    }
  }
#endif
