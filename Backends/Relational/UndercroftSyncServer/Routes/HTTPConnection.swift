#if SyncServer
  import HummingbirdCore
  import Logging
  import NIOCore

  /// The connections of a server over HTTP/1.1, which read into small buffers first.
  ///
  /// NIO retains the buffers of a connection until it is closed. The head of most requests has
  /// fewer than 512 bytes, and the default of 2 KB would be a tenth of what an idle connection
  /// needs. The buffers of larger requests grow with each read.
  struct HTTPConnection: HTTPChannelHandler {
    private let channel: HTTP1Channel

    init(_ channel: HTTP1Channel) { self.channel = channel }

    var responder: Responder { channel.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
      let allocator = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
      return channel.setOption(.recvAllocator, value: allocator).flatMap {
        self.channel.setup(channel: channel, logger: logger)
      }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
      await handleHTTP(asyncChannel: value, logger: logger)
    }
  }
#endif
