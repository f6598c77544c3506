#if SyncServer
  import Foundation
  import UndercroftSync

  /// A request as the bytes that a client sends.
  struct HTTPRequestText: Sendable {
    static let mediaType = "application/vnd.undercroft.sync.v1+json"

    var method = "POST"
    var path: String
    var token: String?
    var body: Data?
    var fields: [(String, String)] = []

    /// Creates a request with a message of the protocol.
    init(_ endpoint: String, _ token: String?, _ body: Data, fields: [(String, String)] = []) {
      path = "/sync/v1/" + endpoint
      self.token = token
      self.body = body
      self.fields = [("Content-Type", Self.mediaType)] + fields
    }

    /// Creates a request without a body.
    init(get path: String, _ token: String? = nil) {
      method = "GET"
      self.path = path
      self.token = token
    }

    /// The bytes of the head, with the empty line.
    var head: Data {
      var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
      if let token { text += "Authorization: Bearer \(token)\r\n" }
      for (name, value) in fields { text += "\(name): \(value)\r\n" }
      if let body { text += "Content-Length: \(body.count)\r\n" }
      return Data((text + "\r\n").utf8)
    }

    /// The bytes of the request.
    var data: Data { head + (body ?? Data()) }
  }
#endif
