#if SyncServer
  import NIOCore
  import UndercroftFoundation

  /// A channel handler that discards the rest of a refused request, and delays the close of the
  /// connection.
  ///
  /// If a socket with unread bytes is closed, the system sends a reset, and the system of the
  /// client then discards an answer that the client has not read yet. So a close ends only the
  /// output until the client closes the connection, or until the limit of bytes or of time is
  /// reached. Handlers after this one receive no further bytes.
  final class LingeringCloseHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    /// The minimum of ``maximumBytes``, four messages of the maximum size of the protocol.
    private static let minimumBytes = 64 << 20
    /// The maximum time in seconds for the rest of a refused request, the default of nginx.
    static let maximumSeconds: Double = 30

    private let time: TimeAmount
    /// The maximum number of bytes that are discarded: four bodies of the maximum size, so that a
    /// client whose body is only somewhat too large receives the answer.
    private let maximumBytes: Int
    /// The timer that closes the connection, or `nil` before the first close.
    private var timer: Scheduled<Void>?
    private var discardedBytes = 0
    private var isInputClosed = false
    private var isLimitReached = false

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - seconds: the maximum time from the end of the output to that of the connection.
    ///   - bodyBytes: the maximum number of bytes of a body.
    init(seconds: Double, bodyBytes: Int) {
      time = TimeAmount(seconds: seconds)
      maximumBytes = max(Self.minimumBytes, min(bodyBytes, .max / 4) * 4)
    }

    func handlerAdded(context: ChannelHandlerContext) {
      // The handlers that follow may have stopped reading.
      context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      timer?.cancel()
      timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      discardedBytes += unwrapInboundIn(data).readableBytes
      if discardedBytes > maximumBytes { disconnect(context) }
    }

    private func disconnect(_ context: ChannelHandlerContext) {
      guard !isLimitReached else { return }
      isLimitReached = true
      context.close(promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      context.fireChannelReadComplete()
      read(context: context)
    }

    func read(context: ChannelHandlerContext) {
      // TLS waits some seconds for the end of its session, in which no further bytes are read.
      if !isLimitReached { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      // For the handler that parses requests, the end of the input inside of a body is an error.
      guard case .inputClosed? = event as? ChannelEvent else {
        return context.fireUserInboundEventTriggered(event)
      }
      isInputClosed = true
      if timer != nil { context.close(promise: nil) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      switch mode {
      case .all where !isInputClosed:
        context.channel.closeFuture.cascade(to: promise)
        guard timer == nil else { return }
        // An earlier timer could close the connection before a slow computer has sent the answer.
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
          self.disconnect(context)
        }
        context.close(mode: .output, promise: nil)
      case .output: context.close(mode: .output, promise: promise)
      // A server that does not wait any longer for its connections closes their input. TLS cannot
      // close the input alone.
      case .all, .input: context.close(promise: promise)
      }
    }
  }
#endif
