#if SyncServer
  import Foundation
  import Synchronization

  /// A proxy that passes HTTP requests to servers, and can lose, delay, slow and duplicate them.
  ///
  /// Each request has a connection and a thread of its own.
  package final class Relay: Sendable {
    package let port: Int
    private let listener: Int32
    private let state: State

    /// The number of requests for whose answers clients wait in vain.
    package var lost: Int { state.lost.withLock { $0 } }

    package var counts: Counts { state.counts.withLock { $0 } }

    /// What the threads of a relay share.
    private final class State: Sendable {
      let servers: @Sendable () -> [Int]
      let choose: @Sendable (_ endpoint: String, _ earlier: Int) -> Action
      let earlier = Mutex<[String: Int]>([:])
      let lost = Mutex(0)
      let counts = Mutex(Counts())
      /// The number of connections to servers, which chooses the server of the next one.
      let turn = Mutex(0)

      init(
        _ servers: @escaping @Sendable () -> [Int],
        _ choose: @escaping @Sendable (_ endpoint: String, _ earlier: Int) -> Action
      ) {
        self.servers = servers
        self.choose = choose
      }
    }

    /// Begins to listen on a free port of the loopback interface, for one server.
    package convenience init(
      to server: Int, _ choose: @escaping @Sendable (_ endpoint: String, _ earlier: Int) -> Action
    ) throws {
      try self.init(to: { [server] }, choose)
    }

    /// Begins to listen on a free port of the loopback interface.
    ///
    /// - Parameters:
    ///   - servers: returns the ports of the servers, which receive requests in turn. A server to
    ///     which the relay cannot connect is skipped.
    ///   - choose: returns the action for a request, from its endpoint and the number of earlier
    ///     requests to this endpoint.
    package init(
      to servers: @escaping @Sendable () -> [Int],
      _ choose: @escaping @Sendable (_ endpoint: String, _ earlier: Int) -> Action
    ) throws {
      // A program that this process starts must not hold the connections open.
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
      let listener = socket(AF_INET, Int32(kind), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, size) == 0 && listen(listener, 128) == 0
            && getsockname(listener, address, &size) == 0
        }
      }
      guard result else { throw RawConnection.Closed() }
      port = Int(UInt16(bigEndian: address.sin_port))
      self.listener = listener
      let state = State(servers, choose)
      self.state = state
      Thread.detachNewThread {
        accepting: while true {
          let client = accept(listener, nil, nil)
          guard client >= 0 else {
            switch errno {
            // A connection that has ended already is no reason to stop.
            case ECONNABORTED, EINTR, EPROTO: break
            // A request that ends frees its descriptor.
            case EMFILE, ENFILE: Thread.sleep(forTimeInterval: 0.01)
            default: break accepting
            }
            continue
          }
          _ = fcntl(client, F_SETFD, FD_CLOEXEC)
          // A slow or waiting client must not delay the requests of others.
          Thread.detachNewThread {
            Self.serve(client, state)
            // A program that started before `fcntl` has the descriptor, too.
            shutdown(client, Int32(SHUT_RDWR))
            close(client)
          }
        }
        close(listener)
      }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ state: State) {
      guard let (endpoint, request) = readRequest(client) else { return }
      let earlier = state.earlier.withLock { earlier in
        defer { earlier[endpoint, default: 0] += 1 }
        return earlier[endpoint, default: 0]
      }
      let action = state.choose(endpoint, earlier)
      state.counts.withLock { counts in
        counts.requests += 1
        if action.isFailure { counts.failures += 1 }
        switch action {
        case .delay, .slow, .duplicate: counts.disturbances += 1
        default: break
        }
      }
      do { try act(action, request, client, state) } catch {
        state.counts.withLock { $0.unanswered += 1 }
      }
    }

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
      _ action: Action, _ request: Data, _ client: Int32, _ state: State
    ) throws {
      switch action {
      case .forward: write(text(of: try forward(request, state)), to: client)
      case .answer(let status, let fields):
        let head = "HTTP/1.1 \(status) Relayed\r\n\(fields)Content-Length: 0\r\n"
        write(Data((head + "Connection: close\r\n\r\n").utf8), to: client)
      case .cut: _ = try forward(request, state)
      case .cutRequest: try connect(state).send(request.prefix(request.count / 2))
      case .cutAnswer:
        let answer = text(of: try forward(request, state))
        write(answer.prefix(answer.count / 2), to: client)
      case .loseAnswer, .loseRequest:
        if case .loseAnswer = action { _ = try forward(request, state) }
        state.lost.withLock { $0 += 1 }
        // Ends when the client closes the connection.
        _ = receive(client)
      case .delay(let time):
        Thread.sleep(forTimeInterval: time / .seconds(1))
        write(text(of: try forward(request, state)), to: client)
      case .slow(let rate):
        let connection = try connect(state)
        try pass(request, rate) { try connection.send($0) }
        pass(text(of: try connection.readAnswer()), rate) { write($0, to: client) }
      case .duplicate(let time):
        write(text(of: try forward(request, state)), to: client)
        shutdown(client, Int32(SHUT_RDWR))
        Thread.sleep(forTimeInterval: time / .seconds(1))
        // The server may have ended meanwhile.
        _ = try? forward(request, state)
      }
    }

    // MARK: Servers

    /// Connects to the next server that accepts connections.
    private static func connect(_ state: State) throws -> RawConnection {
      let ports = state.servers()
      let turn = state.turn.withLock { turn in
        turn += 1
        return turn
      }
      for index in ports.indices {
        if let connection = try? RawConnection(port: ports[(turn + index) % ports.count]) {
          return connection
        }
      }
      throw RawConnection.Closed()
    }

    private static func forward(_ request: Data, _ state: State) throws -> HTTPAnswer {
      let connection = try connect(state)
      try connection.send(request)
      return try connection.readAnswer()
    }

    /// Passes bytes in twenty parts per second.
    private static func pass(_ data: Data, _ rate: Int, to write: (Data) throws -> Void) rethrows {
      var rest = data
      while !rest.isEmpty {
        let part = rest.prefix(max(1, rate / 20))
        try write(Data(part))
        rest = rest.dropFirst(part.count)
        Thread.sleep(forTimeInterval: 0.05)
      }
    }

    // MARK: Clients

    /// Returns the bytes of an answer after which the connection is closed.
    private static func text(of answer: HTTPAnswer) -> Data {
      let omitted = ["connection", "content-length", "keep-alive", "transfer-encoding"]
      var head = "HTTP/1.1 \(answer.status) Relayed\r\n"
      for (name, value) in answer.fields where !omitted.contains(name) {
        head += "\(name): \(value)\r\n"
      }
      head += "Content-Length: \(answer.body.count)\r\nConnection: close\r\n\r\n"
      return Data(head.utf8) + answer.body
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
  }
#endif
