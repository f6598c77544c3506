#if SyncHTTP
  import NIOCore
  import NIOPosix
  import NIOSSL
  import Synchronization
  import TestSupport
  import UndercroftFoundation

  /// A server on a loopback address whose answers a test states byte by byte.
  ///
  /// After a request with the method CONNECT, it reads further requests from the same connection,
  /// and so is a proxy together with the server behind the proxy.
  final class ScriptedServer: Sendable {
    typealias Script = @Sendable (_ request: ReceivedRequest, _ number: Int) -> ScriptedReply

    private let channel: any Channel
    fileprivate let script: Script
    fileprivate let received = Mutex<[ReceivedRequest]>([])
    fileprivate let openCount = Mutex(0)
    fileprivate let channels = Mutex<[any Channel]>([])

    private init(channel: any Channel, script: @escaping Script, box: Box) {
      self.channel = channel
      self.script = script
      box.server.withLock { $0 = self }
    }

    fileprivate final class Box: Sendable {
      let server = Mutex<ScriptedServer?>(nil)
    }

    /// Runs `body` with a server that answers the requests of all connections by a script.
    ///
    /// - Parameters:
    ///   - tls: the certificate and key of the server, or `nil` for HTTP without TLS.
    ///   - script: a closure that returns the reply to a request, with its number from 1.
    static func run<Result: Sendable>(
      tls: NIOSSLContext? = nil, _ script: @escaping Script,
      _ body: (ScriptedServer) async throws -> Result
    ) async throws -> Result {
      let box = Box()
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { child in
          child.eventLoop.makeCompletedFuture {
            if let tls {
              try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
            }
            try child.pipeline.syncOperations.addHandler(ConnectionHandler(box: box))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let server = ScriptedServer(channel: channel, script: script, box: box)
      let result: Swift.Result<Result, any Error>
      do { result = .success(try await body(server)) } catch { result = .failure(error) }
      try? await channel.close()
      for open in server.channels.withLock({ $0 }) { try? await open.close() }
      box.server.withLock { $0 = nil }
      return try result.get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

    /// The complete requests in the order of their arrival.
    var requests: [ReceivedRequest] { received.withLock { $0 } }

    /// The number of connections, including those that were closed.
    var connectionCount: Int { channels.withLock { $0.count } }

    /// Waits until no connection is open.
    func waitUntilDisconnected() async throws -> Bool {
      try await eventually { openCount.withLock { $0 } == 0 }
    }

    /// Waits until the server has received a number of requests.
    func waitForRequests(_ count: Int) async throws -> Bool {
      try await eventually { requests.count >= count }
    }
  }

  /// A request that a scripted server has received.
  struct ReceivedRequest: Sendable {
    var method: String
    var target: String
    /// The headers with lower-case names.
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    var path: String { String(target.split(separator: "?").first ?? "") }

    func header(_ name: String) -> String? {
      headers.first { $0.name == name.lowercased() }?.value
    }
  }

  /// The handler of one connection to a scripted server.
  private final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let box: ScriptedServer.Box
    private var bytes: [UInt8] = []
    private var endless: [UInt8]?

    init(box: ScriptedServer.Box) { self.box = box }

    func channelActive(context: ChannelHandlerContext) {
      let server = box.server.withLock { $0 }
      server?.openCount.withLock { $0 += 1 }
      let channel = context.channel
      server?.channels.withLock { $0.append(channel) }
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      endless = nil
      box.server.withLock { $0 }?.openCount.withLock { $0 -= 1 }
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
      while let request = RequestParser.next(&bytes), let server = box.server.withLock({ $0 }) {
        let number = server.received.withLock { requests in
          requests.append(request)
          return requests.count
        }
        perform(server.script(request, number), context)
      }
    }

    private func perform(_ reply: ScriptedReply, _ context: ChannelHandlerContext) {
      let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply.bytes)))
      switch reply.end {
      case .open: break
      case .closed:
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.whenComplete { _ in bound.value.close(promise: nil) }
      case .endless(let part):
        endless = part
        writeEndlessly(context)
      }
    }

    private func writeEndlessly(_ context: ChannelHandlerContext) {
      guard let part = endless else { return }
      let bound = NIOLoopBound((context, self), eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: part))).whenSuccess {
        // Without a delay, the event loop would serve no other connection.
        bound.eventLoop.scheduleTask(in: .milliseconds(1)) {
          bound.value.1.writeEndlessly(bound.value.0)
        }
      }
    }
  }

  /// A parser of requests with a `Content-Length`, or chunked requests in one chunk.
  private enum RequestParser {
    /// Removes the first complete request from `bytes`, or returns `nil` if there is none.
    static func next(_ bytes: inout [UInt8]) -> ReceivedRequest? {
      let separator = Array("\r\n\r\n".utf8)
      guard bytes.count >= 4,
        let end = (0...(bytes.count - 4)).first(where: {
          bytes[$0..<($0 + 4)].elementsEqual(separator)
        })
      else { return nil }
      let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
      let words = lines[0].split(separator: " ")
      guard words.count == 3 else { return nil }
      let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (line[..<colon].lowercased(), String(value))
      }
      let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
      guard bytes.count >= end + 4 + length else { return nil }
      let body = Array(bytes[(end + 4)..<(end + 4 + length)])
      bytes.removeFirst(end + 4 + length)
      return ReceivedRequest(
        method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }
  }
#endif
