import Synchronization

/// A bounded number of turns, given to tasks in the order in which they asked; who waits holds no thread, and can be cancelled.
final class AsyncTurns: Sendable {
  private struct State {
    var free: Int
    /// Those who wait, by their numbers, which were given in the order of their calls.
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// No lower number waits; so that the next one is found without a search.
    var firstID = 1
    /// Those that were cancelled before they came to wait.
    var cancelled: Set<Int> = []
    var lastID = 0

    /// Removes the one that has waited longest: in constant time, spread over all calls.
    mutating func popFirst() -> CheckedContinuation<Void, any Error>? {
      if waiting.isEmpty { return nil }
      while firstID <= lastID {
        firstID += 1
        if let first = waiting.removeValue(forKey: firstID - 1) { return first }
      }
      return nil
    }
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
          // Later calls may have come to wait, and have been served, before this one.
          state.firstID = state.waiting.isEmpty ? id : min(state.firstID, id)
          state.waiting[id] = continuation
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
      let waiter = state.waiting.removeValue(forKey: id)
      if waiter == nil { state.cancelled.insert(id) }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func end() {
    let next = state.withLock { state in
      let next = state.popFirst()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
