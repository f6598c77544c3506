#if SyncHTTP
  import Foundation

  /// Connections on which a server sends the pokes of scopes that do not change.
  ///
  /// Nothing reads the heartbeats, which remain in the buffers of the system.
  final class IdleSubscribers {
    /// The number of connections that are opened before the first one is answered, which is smaller
    /// than the number of connections that wait for a server.
    private static let batch = 50

    private var sockets: [Int32] = []

    /// Connects to a server, and waits until it has answered all requests.
    ///
    /// - Parameter tokens: the tokens that the connections use in turn, because a server limits the
    ///   connections of an account.
    init(_ count: Int, port: Int, tokens: [String]) throws {
      for first in stride(from: 0, to: count, by: Self.batch) {
        let numbers = first..<min(first + Self.batch, count)
        for number in numbers {
          try connect(to: port)
          try send(Self.request(number, token: tokens[number % tokens.count]), on: sockets[number])
        }
        for number in numbers { try Self.requireAnswer(on: sockets[number]) }
      }
    }

    deinit { for socket in sockets { close(socket) } }

    private static func request(_ number: Int, token: String) -> String {
      """
      GET /sync/v1/events?scope=idle:\(number) HTTP/1.1\r
      Host: 127.0.0.1\r
      Authorization: Bearer \(token)\r
      \r

      """
    }

    private func connect(to port: Int) throws {
      #if canImport(Darwin)
        let socket = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      #endif
      guard socket >= 0 else { throw BenchmarkFailure("no socket: error \(errno)") }
      sockets.append(socket)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(UInt16(port)).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw BenchmarkFailure("no connection: error \(errno)") }
      // Only prevents an endless wait.
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private func send(_ request: String, on socket: Int32) throws {
      // The request is shorter than the buffer of a new connection.
      let bytes = Array(request.utf8)
      guard Foundation.send(socket, bytes, bytes.count, 0) == bytes.count else {
        throw BenchmarkFailure("the request was not sent: error \(errno)")
      }
    }

    private static func requireAnswer(on socket: Int32) throws {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(socket, &buffer, buffer.count, 0)
      let answer = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      guard answer.hasPrefix("HTTP/1.1 200 ") else {
        throw BenchmarkFailure("the answer to a subscriber: \(answer)")
      }
    }

    /// Throws if the server has closed a connection.
    func requireConnected() throws {
      let count = sockets.count { socket in
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count > 0 || (count < 0 && errno == EAGAIN)
      }
      guard count == sockets.count else {
        throw BenchmarkFailure("\(sockets.count - count) subscribers were disconnected")
      }
    }
  }
#endif
