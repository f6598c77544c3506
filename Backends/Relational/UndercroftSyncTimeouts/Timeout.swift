#if SyncHTTP || SyncServer
  package import NIOCore

  /// Returns the result of `body`, or cancels `body` and throws ``TimeoutError`` after a time.
  ///
  /// `body` must end soon after it was cancelled.
  ///
  /// - Parameters:
  ///   - time: the time limit. Time during which the system sleeps is not counted.
  ///   - loop: the event loop that measures the time.
  package func withTimeout<Value: Sendable>(
    _ time: TimeAmount, on loop: any EventLoop,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task {
      let value = try await body()
      // After a cancellation, the value can be incomplete.
      try Task.checkCancellation()
      return value
    }
    // `Task.sleep` would occupy about 400 bytes until its deadline, even after it was cancelled.
    let timer = loop.scheduleTask(in: time) { task.cancel() }
    defer { timer.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    do { return try result.get() } catch {
      // If the caller was not cancelled, only the timer can have cancelled the task.
      throw task.isCancelled && !Task.isCancelled ? TimeoutError() : error
    }
  }

  /// The error of ``withTimeout(_:on:_:)`` after the time.
  package struct TimeoutError: Error {}
#endif
