#if SyncServer
  import HTTPTypes
  import UndercroftFoundation

  extension HTTPFields {
    /// The identifier of the request, or a new one if the client has sent none or an invalid one.
    var requestIdentifier: String {
      // Only the form of a UUID is repeated, so that no text of a client appears in logs.
      self[.requestIdentifier].flatMap { UUID(uuidString: $0) }?.uuidString.lowercased()
        ?? UUID().uuidString.lowercased()
    }

    /// Whether the client accepts answers in the gzip format.
    var acceptsGzip: Bool {
      guard let field = self[.acceptEncoding] else { return false }
      return field.split(separator: ",").contains { element in
        let parts = element.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
        guard let first = parts.first, ["gzip", "x-gzip", "*"].contains(first) else { return false }
        return !parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
      }
    }

    /// The number of bytes of the body, or `nil` if the request does not state it.
    var bodyLength: Int? {
      self[.contentLength].flatMap { UInt64($0) }.map { Int(clamping: $0) }
    }

    /// The media type of the body in lower case, without its parameters.
    var mediaType: String? {
      self[.contentType]?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
    }

    /// The token of the field `Authorization`, or `nil` if there is none.
    var bearerToken: String? {
      guard let field = self[.authorization] else { return nil }
      let parts = field.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      let token = parts[1].filter { $0 != " " }
      return token.isEmpty ? nil : token
    }
  }
#endif
