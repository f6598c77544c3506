#if SyncServer
  import Foundation
  import Synchronization
  import TestSupport

  /// A server of one test that passes requests to another server, and can lose them.
  final class Relay: Sendable {
    /// What happens to a request.
    enum Action: Sendable {
      /// The client receives the answer of the server.
      case forward
      /// The client receives an answer with a status and without a body.
      case answer(Int, fields: String)
      /// The server processes the request, and the connection is closed without an answer.
      case cut
      /// The server processes the request, and the client waits for an answer.
      case loseAnswer
      /// The server does not receive the request, and the client waits for an answer.
      case loseRequest
    }

    let port: Int
    private let listener: Int32
    private let losses: Losses

    /// The number of requests for whose answers clients wait in vain.
    var lost: Int { losses.count.withLock { $0 } }

    /// Begins to listen on a free port of the loopback interface.
    ///
    /// - Parameter choose: returns the action for a request, from its endpoint and the number of
    ///   earlier requests to this endpoint.
    init(
      to server: Int, _ choose: @escaping @Sendable (_ endpoint: String, _ earlier: Int) -> Action
    ) throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, size) == 0 && listen(listener, 16) == 0
            && getsockname(listener, address, &size) == 0
        }
      }
      guard result else { throw RawConnection.Closed() }
      port = Int(UInt16(bigEndian: address.sin_port))
      self.listener = listener
      let losses = Losses()
      self.losses = losses
      Thread.detachNewThread {
        var earlier: [String: Int] = [:]
        while true {
          let client = accept(listener, nil, nil)
          guard client >= 0 else { break }
          guard let (endpoint, request) = Self.readRequest(client) else {
            close(client)
            continue
          }
          let action = choose(endpoint, earlier[endpoint, default: 0])
          earlier[endpoint, default: 0] += 1
          // A waiting client must not delay the requests of others.
          Thread.detachNewThread {
            try? Self.act(action, request, client, server, losses)
            close(client)
          }
        }
        close(listener)
      }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Reads a request, and returns its endpoint and its bytes, or `nil` if the client has ended.
    private static func readRequest(_ client: Int32) -> (String, Data)? {
      var data = Data()
      while true {
        if let end = data.range(of: Data("\r\n\r\n".utf8)) {
          let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
          let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
          if data.count >= end.upperBound + length {
            let path = head.split(separator: " ").dropFirst().first ?? ""
            return (String(path.split(separator: "/").last ?? ""), data)
          }
        }
        let part = receive(client)
        guard !part.isEmpty else { return nil }
        data += part
      }
    }

    private static func act(
      _ action: Action, _ request: Data, _ client: Int32, _ server: Int, _ losses: Losses
    ) throws {
      switch action {
      case .forward: write(try forward(request, to: server), to: client)
      case .answer(let status, let fields):
        let head = "HTTP/1.1 \(status) Relayed\r\n\(fields)Content-Length: 0\r\n"
        write(Data((head + "Connection: close\r\n\r\n").utf8), to: client)
      case .cut: _ = try forward(request, to: server)
      case .loseAnswer, .loseRequest:
        if case .loseAnswer = action { _ = try forward(request, to: server) }
        losses.count.withLock { $0 += 1 }
        // Ends when the client closes the connection.
        _ = receive(client)
      }
    }

    private static func forward(_ request: Data, to server: Int) throws -> HTTPAnswer {
      let connection = try RawConnection(port: server)
      try connection.send(request)
      return try connection.readAnswer()
    }

    private static func write(_ answer: HTTPAnswer, to client: Int32) {
      let type = answer.fields["content-type"] ?? ""
      let head =
        "HTTP/1.1 \(answer.status) Relayed\r\nContent-Type: \(type)\r\n"
        + "Content-Length: \(answer.body.count)\r\nConnection: close\r\n\r\n"
      write(Data(head.utf8) + answer.body, to: client)
    }

    private static func write(_ data: Data, to client: Int32) {
      var rest = data
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // The client may have ended.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// Returns the next bytes of a client, or no bytes if it has closed the connection.
    private static func receive(_ client: Int32) -> Data {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(client, &buffer, buffer.count, 0)
      return Data(buffer.prefix(max(count, 0)))
    }

    private final class Losses: Sendable {
      let count = Mutex(0)
    }
  }
#endif
