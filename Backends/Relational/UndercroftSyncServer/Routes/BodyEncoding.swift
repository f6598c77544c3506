#if SyncServer
  import HTTPTypes
  import NIOCore
  import UndercroftFoundation
  import UndercroftSyncCompression

  /// The encoding of the body of a request. (`Content-Encoding`)
  enum BodyEncoding: Sendable {
    case identity
    case gzip

    /// Reads the encoding from the fields of a request.
    ///
    /// - Throws: the problem 415 for any other encoding.
    init(_ fields: HTTPFields) throws(ServerProblem) {
      switch fields[.contentEncoding].map({ $0.filter { $0 != " " }.lowercased() }) {
      case nil, "", "identity": self = .identity
      case "gzip", "x-gzip": self = .gzip
      default:
        throw ServerProblem(
          .unsupportedMediaType, code: "unsupportedEncoding",
          "the server accepts only the content encoding gzip",
          suggestion: "send the message with the content encoding gzip or without one")
      }
    }

    /// Returns the decoded bytes of a body.
    ///
    /// - Parameter limit: the maximum number of decoded bytes.
    /// - Throws: the problem 413 if the limit is exceeded, and 400 if the body is damaged.
    func decode(_ body: ByteBuffer, limit: Int) throws(ServerProblem) -> Data {
      let data = Data(body.readableBytesView)
      guard self == .gzip else { return data }
      do throws(GzipError) {
        return try Gzip.decompress(data, limit: limit)
      } catch {
        switch error {
        case .tooLarge:
          throw ServerProblem(
            .contentTooLarge, code: "tooLarge",
            "the body of the request has more than \(limit) bytes after decompression, the maximum",
            suggestion: "send fewer operations in each packet")
        case .damaged:
          throw ServerProblem(
            .badRequest, code: "decodingFailed", "the body of the request is not valid gzip data")
        case .noMemory: throw ServerProblem.unavailable("the server lacks memory")
        }
      }
    }
  }
#endif
