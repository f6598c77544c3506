#if SyncServer
  import Dispatch
  import Synchronization
  import UndercroftSQLite

  /// A pool of threads for calls that block, with a limited number of waiting calls.
  final class WorkerPool: Sendable {
    private let queue = DispatchQueue(label: "undercroft.sync.server", attributes: .concurrent)
    private let permits: AsyncSemaphore
    private let limit: Int
    private let pending = Mutex(0)

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - threads: the maximum number of calls that run at a time.
    ///   - waiting: the maximum number of calls that wait.
    init(threads: Int, waiting: Int) {
      permits = AsyncSemaphore(max(threads, 1))
      limit = max(threads, 1) + max(waiting, 0)
    }

    /// The number of calls that run or wait.
    var count: Int { pending.withLock { $0 } }

    /// Runs `body` on a thread that may block.
    ///
    /// - Throws: a ``ServerProblem`` with the status 503 if too many calls wait, and any error that
    ///   `body` throws.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
      -> Result
    {
      let isAccepted = pending.withLock { pending in
        guard pending < limit else { return false }
        pending += 1
        return true
      }
      guard isAccepted else {
        throw ServerProblem.unavailable("the server is busy: too many requests wait")
      }
      defer { pending.withLock { $0 -= 1 } }
      return try await permits.withPermit {
        try await withCheckedThrowingContinuation { continuation in
          queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
      }
    }
  }
#endif
