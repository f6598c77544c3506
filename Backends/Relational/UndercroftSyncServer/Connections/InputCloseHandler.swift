#if SyncServer
  import NIOCore

  /// A channel handler that reports the end of the input of a connection to the current request.
  ///
  /// The connections of the framework may be closed in one direction only, so a channel whose
  /// client has disconnected remains open until an answer is written. A request that waits writes
  /// nothing.
  final class InputCloseHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private var isClosed = false
    private var action: (@Sendable () -> Void)?

    /// Stores the action that is called when the input ends, or at once if it has ended.
    ///
    /// - Parameter action: the action instead of the earlier one, or `nil` for none.
    fileprivate func setAction(_ action: (@Sendable () -> Void)?) {
      self.action = action
      if isClosed { action?() }
    }

    private func close() {
      isClosed = true
      action?()
      action = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .inputClosed? = event as? ChannelEvent { close() }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      close()
      context.fireChannelInactive()
    }
  }

  extension Channel {
    /// Calls an action when the input of this connection ends, or at once if it has ended.
    ///
    /// A connection has one action at a time, because it processes one request at a time.
    ///
    /// - Parameter action: the action instead of the earlier one, or `nil` for none.
    func onInputClose(_ action: (@Sendable () -> Void)?) {
      eventLoop.execute {
        do {
          try self.pipeline.syncOperations.handler(type: InputCloseHandler.self).setAction(action)
        } catch {
          // The handlers of a closed connection are removed.
          action?()
        }
      }
    }
  }
#endif
