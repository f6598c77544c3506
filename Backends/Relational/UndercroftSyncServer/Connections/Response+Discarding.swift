#if SyncServer
  import Hummingbird
  import NIOCore

  extension Response {
    /// Returns this response with a time limit for the body of its request.
    ///
    /// After the response, the body is read and discarded, so that the connection can be used
    /// again. If the body does not arrive in time, the connection is closed: the idle time of a
    /// connection begins again with each byte.
    ///
    /// - Parameter seconds: the maximum time from the end of the response to that of the body.
    func discarding(
      _ request: RequestBody, on channel: any Channel, within seconds: Double
    ) -> Response {
      var response = self
      let body = body
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        try await body.write(writer)
        switch await request.discard(within: seconds, on: channel.eventLoop) {
        case .complete, .tooLarge: break
        case .late: channel.close(promise: nil)
        case .failed(let error): throw error
        }
      }
      return response
    }
  }
#endif
