#if SyncHTTP
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
#endif
