#if SyncServer
  import Hummingbird
  import NIOCore
  import NIOHTTP1

  extension Response {
    /// Returns this response as the last one of its connection.
    ///
    /// The rest of the request is discarded from now on.
    ///
    /// - Parameters:
    ///   - seconds: the maximum time for which the client may continue to send after the answer.
    ///   - bodyBytes: the maximum number of bytes of a body.
    func closing(
      _ channel: any Channel, within seconds: Double, bodyBytes: Int
    ) async -> Response {
      let installation = channel.eventLoop.submit {
        let operations = channel.pipeline.syncOperations
        let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try operations.addHandler(
          LingeringCloseHandler(seconds: seconds, bodyBytes: bodyBytes),
          position: .before(decoder))
      }
      // Fails only if the connection is already closed.
      try? await installation.get()
      var response = self
      response.headers[.connection] = "close"
      let body = body
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        try await body.write(writer)
        channel.close(promise: nil)
      }
      return response
    }
  }
#endif
