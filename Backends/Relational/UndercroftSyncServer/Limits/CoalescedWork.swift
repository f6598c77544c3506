#if SyncServer
  import Dispatch
  import Synchronization

  /// Work that blocks, of which one execution serves all callers that wait for it.
  package final class CoalescedWork: Sendable {
    private let queue: DispatchQueue
    private let waiting = Mutex<[CheckedContinuation<Void, any Error>]>([])

    package init(label: String) { queue = DispatchQueue(label: label) }

    /// The number of callers that wait for an execution that has not begun.
    package var count: Int { waiting.withLock { $0.count } }

    /// Waits for an execution of `body` that begins after this call.
    ///
    /// The executions follow each other on one thread. All callers must pass the same work.
    ///
    /// - Throws: the error that `body` throws.
    package func run(_ body: @escaping @Sendable () throws -> Void) async throws {
      try await withCheckedThrowingContinuation { continuation in
        let isFirst = waiting.withLock { waiting in
          waiting.append(continuation)
          return waiting.count == 1
        }
        if isFirst { queue.async { self.execute(body) } }
      }
    }

    private func execute(_ body: () throws -> Void) {
      let callers = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      let result = Result { try body() }
      for caller in callers { caller.resume(with: result) }
    }
  }
#endif
