import Synchronization

/// A bounded number of turns, given to tasks in the order in which they asked; who waits holds no thread, and can be cancelled.
final class AsyncTurns: Sendable {
  private struct State {
    var free: Int
    var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Those that were cancelled before they came to wait.
    var cancelled: Set<Int> = []
    var lastID = 0
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Runs `body` in a turn of its own.
  func take<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    try await begin()
    defer { end() }
    return try await body()
  }

  private func begin() async throws {
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
          state.waiting.append((id, continuation))
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
      guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil as CheckedContinuation<Void, any Error>?
      }
      return state.waiting.remove(at: place).continuation
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func end() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil as CheckedContinuation<Void, any Error>?
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
