#if SyncHTTP || SyncServer
  package import NIOCore

  /// Returns the result of `body`, or cancels `body` and throws ``TimeoutError`` after a time.
  ///
  /// `body` must end soon after it was cancelled.
  ///
  /// - Parameters:
  ///   - time: the time, without that during which the system sleeps.
  ///   - loop: the event loop that measures the time.
  package func withTimeout<Value: Sendable>(
    _ time: TimeAmount, on loop: any EventLoop,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    // `Task.sleep` would occupy about 400 bytes until its deadline, even after it was cancelled.
    let timer = loop.scheduleTask(in: time) { task.cancel() }
    defer { timer.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    // A caller that was not cancelled has not cancelled the task. So the timer has.
    guard Task.isCancelled || !task.isCancelled else { throw TimeoutError() }
    return try result.get()
  }

  /// The error of ``withTimeout(_:on:_:)`` after the time.
  package struct TimeoutError: Error {}
#endif
