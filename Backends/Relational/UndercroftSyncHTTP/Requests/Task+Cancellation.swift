#if SyncHTTP
  import NIOCore

  extension Task where Success: Sendable, Failure == any Error {
    /// Returns the value of the task, or throws `CancellationError` as soon as the calling task is
    /// cancelled.
    ///
    /// The cancellation of the calling task does not cancel this task.
    func valueUnlessCancelled() async throws -> Success {
      let (values, continuation) = AsyncThrowingStream.makeStream(of: Success.self)
      let forwarding = Task<Void, Never> {
        do {
          continuation.yield(try await value)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      defer { forwarding.cancel() }
      for try await value in values { return value }
      throw _Concurrency.CancellationError()
    }
  }

  /// Returns the result of `body`, or cancels `body` and throws ``TimeoutError`` after `duration`.
  ///
  /// - Parameter loop: the event loop that measures the time.
  func withTimeout<Value: Sendable>(
    _ duration: Duration, on loop: any EventLoop,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // A cancelled `Task.sleep` would occupy memory until its time, once for each request.
    let timer = loop.scheduleTask(in: duration.timeAmount) {}
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await timer.futureResult.get()
        throw TimeoutError()
      }
      defer {
        timer.cancel()
        group.cancelAll()
      }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// The error of ``withTimeout(_:on:_:)`` after the duration.
  struct TimeoutError: Error {}
#endif
