import Synchronization

/// A semaphore for tasks, which acquire it in the order in which they began to wait.
///
/// A waiting task holds no thread and can be cancelled.
package final class AsyncSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting = CancellableQueue<Int, CheckedContinuation<Void, any Error>>()
    /// The identifiers of the calls that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
    var lastID = 0
  }

  private let state: Mutex<State>

  /// Creates a semaphore that `count` tasks can hold at the same time.
  package init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Runs `body` while the calling task holds the semaphore.
  ///
  /// - Throws: any error that `body` throws, unchanged; `CancellationError`, without a call of
  ///   `body`, if the task is cancelled before it holds the semaphore.
  package func withPermit<Result: Sendable>(_ body: () async throws -> Result) async throws
    -> Result
  {
    try await acquire()
    defer { release() }
    return try await body()
  }

  private func acquire() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Swift.Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.waiting.append(continuation, id: id)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      cancel(id)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { state in
      let waiter = state.waiting.remove(id)
      if waiter == nil { state.cancelled.insert(id) }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func release() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
