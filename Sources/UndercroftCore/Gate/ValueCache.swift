import Synchronization

/// Decoded values of one gate, so that reading a hot setting costs a look into memory.
///
/// A value read before a write must not be kept after it: each reader takes the cache's generation first, and every write
/// moves it on.
final class ValueCache: Sendable {
  private struct State {
    var values: [ExactString: any KnownValue] = [:]
    var generation = 0
    var outside: UInt64 = 0
    /// How many open writes concern each name; the writing thread reads another value than the other threads do.
    var suspended: [ExactString: Int] = [:]
  }

  /// More names than any settings store has; a cache that reaches it starts again.
  private static let capacity = 10_000

  private let state = Mutex(State())

  enum Answer {
    case known(any KnownValue)
    /// Not here: read, then ``keep(_:for:since:)`` with this generation.
    case unknown(generation: Int)
  }

  /// Returns what is known of `name`; `outside` is the backend's count of changes from elsewhere.
  func look(for name: String, outside: UInt64) -> Answer {
    state.withLock { state in
      if state.outside != outside {
        state.outside = outside
        state.values.removeAll()
        state.generation += 1
      }
      if let known = state.values[name.exact] { return .known(known) }
      return .unknown(generation: state.generation)
    }
  }

  func keep(_ value: any KnownValue, for name: String, since generation: Int) {
    state.withLock { state in
      guard state.generation == generation, state.suspended[name.exact] == nil else { return }
      if state.values.count >= Self.capacity { state.values.removeAll() }
      state.values[name.exact] = value
    }
  }

  func forget(_ write: Write) {
    state.withLock { state in
      state.generation += 1
      if state.values.isEmpty { return }
      switch write {
      case .changes(let changes): for change in changes { state.values[change.name.exact] = nil }
      case .stream(let name): state.values[name.exact] = nil
      }
    }
  }

  /// Forgets the names that an open transaction has written, and stores none of them until ``resume(_:)``.
  func suspend(_ write: Write) {
    state.withLock { state in
      state.generation += 1
      for name in write.names {
        state.values[name.exact] = nil
        state.suspended[name.exact, default: 0] += 1
      }
    }
  }

  /// Stores these names again, after the transaction.
  func resume(_ write: Write) {
    state.withLock { state in
      state.generation += 1
      for name in write.names {
        let count = (state.suspended[name.exact] ?? 1) - 1
        state.suspended[name.exact] = count > 0 ? count : nil
      }
    }
  }

  func forgetAll() {
    state.withLock { state in
      state.values.removeAll()
      state.generation += 1
    }
  }
}
