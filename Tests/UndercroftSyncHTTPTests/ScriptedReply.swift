#if SyncHTTP
  /// The bytes with which a scripted server answers a request.
  struct ScriptedReply: Sendable {
    /// The state of the connection after the bytes.
    enum End: Sendable {
      /// The connection remains open, and the server sends nothing more.
      case open
      /// The server closes the connection.
      case closed
      /// The server sends the bytes again and again.
      case endless([UInt8])
    }

    static let messageType = "application/vnd.undercroft.sync.v1+json"

    var bytes: [UInt8]
    var end: End = .open

    /// Bytes that need not be a response.
    static func raw(_ text: String, then end: End = .open) -> ScriptedReply {
      ScriptedReply(bytes: Array(text.utf8), end: end)
    }

    /// A complete response.
    static func response(
      _ status: Int, _ type: String?, _ body: [UInt8], headers: [(String, String)] = []
    ) -> ScriptedReply {
      var head = "HTTP/1.1 \(status) Reason\r\nContent-Length: \(body.count)\r\n"
      if let type { head += "Content-Type: \(type)\r\n" }
      for (name, value) in headers { head += "\(name): \(value)\r\n" }
      return ScriptedReply(bytes: Array("\(head)\r\n".utf8) + body)
    }

    /// A message of the protocol.
    static func message(
      _ body: String, status: Int = 200, headers: [(String, String)] = []
    ) -> ScriptedReply {
      response(status, messageType, Array(body.utf8), headers: headers)
    }

    /// The description of an error.
    static func problem(
      _ status: Int, detail: String? = nil, suggestion: String? = nil,
      headers: [(String, String)] = []
    ) -> ScriptedReply {
      var members = ["\"status\":\(status)", "\"title\":\"Problem\""]
      if let detail { members.append("\"detail\":\"\(detail)\"") }
      if let suggestion { members.append("\"suggestion\":\"\(suggestion)\"") }
      return response(
        status, "application/problem+json; charset=utf-8",
        Array("{\(members.joined(separator: ","))}".utf8), headers: headers)
    }

    /// The beginning of a stream of events.
    static func events(_ text: String, then end: End = .open) -> ScriptedReply {
      raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + text, then: end)
    }

    /// The event that a scope has changed.
    static func poke(_ scope: String, _ head: Int) -> String {
      "event: poke\nid: \(head)\ndata: {\"scope\":\"\(scope)\",\"head\":\(head)}\n\n"
    }
  }
#endif
