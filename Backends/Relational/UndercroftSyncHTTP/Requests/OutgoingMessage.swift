#if SyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import UndercroftFoundation
  import UndercroftSyncCompression

  /// A message in the form in which it is sent.
  struct OutgoingMessage: Sendable {
    /// The last part of the path.
    let endpoint: String
    /// The identifier of the request, by which an operator finds it in the log of the server.
    let identifier: String
    /// Whether the server delays its answer.
    let isPoll: Bool
    private let body: ByteBuffer
    private let isCompressed: Bool

    /// Creates a message.
    ///
    /// - Parameter isCompressing: whether a body that is not small is compressed.
    init(
      to endpoint: String, _ body: Data, identifier: String, isPoll: Bool = false,
      isCompressing: Bool
    ) {
      self.endpoint = endpoint
      self.identifier = identifier
      self.isPoll = isPoll
      let packed = isCompressing && body.count >= Gzip.threshold ? Gzip.compress(body) : nil
      isCompressed = packed != nil
      self.body = ByteBuffer(bytes: packed ?? body)
    }

    /// Adds the message and the headers that describe it to a request.
    func add(to request: inout HTTPClientRequest) {
      request.headers.add(name: "Content-Type", value: ServerAnswer.messageType)
      request.headers.add(
        name: "Accept", value: "\(ServerAnswer.messageType), \(ServerAnswer.problemType)")
      if isCompressed { request.headers.add(name: "Content-Encoding", value: "gzip") }
      request.body = .bytes(body)
    }
  }
#endif
