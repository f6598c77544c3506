#if SyncServer
  extension Relay {
    /// What happens to a request.
    package enum Action: Sendable {
      /// The client receives the answer of the server.
      case forward
      /// The client receives an answer with a status and without a body.
      case answer(Int, fields: String)
      /// The server processes the request, and the connection is closed without an answer.
      case cut
      /// The server receives the first half of the request, and both connections are closed.
      case cutRequest
      /// The server processes the request, and the client receives the first half of the answer.
      case cutAnswer
      /// The server processes the request, and the client waits for an answer.
      case loseAnswer
      /// The server does not receive the request, and the client waits for an answer.
      case loseRequest
      /// The server receives the request after a time.
      case delay(Duration)
      /// The request and the answer are passed with this number of bytes per second.
      case slow(Int)
      /// The client receives the answer. After a time, the server receives the request again, over
      /// another connection.
      case duplicate(after: Duration)

      /// Whether the client receives no answer of the server.
      package var isFailure: Bool {
        switch self {
        case .forward, .delay, .slow, .duplicate: false
        case .answer, .cut, .cutRequest, .cutAnswer, .loseAnswer, .loseRequest: true
        }
      }
    }

    /// The numbers of requests that a relay has received.
    package struct Counts: Sendable {
      /// All requests.
      package var requests = 0
      /// The requests that failed on purpose.
      package var failures = 0
      /// The requests that were delayed, slowed or duplicated.
      package var disturbances = 0
      /// The requests that failed because no server answered.
      package var unanswered = 0
    }
  }
#endif
