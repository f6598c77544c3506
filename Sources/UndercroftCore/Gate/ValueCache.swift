import Synchronization

/// Decoded values of one gate, so that reading a hot setting costs a look into memory.
///
/// A value read before a write must not be kept after it: each reader takes the cache's generation first, and every write
/// moves it on. Values are released outside of the lock, because a value of the caller's may read a setting when it is released.
final class ValueCache: Sendable {
  private typealias Values = [ExactString: any KnownValue]

  private struct State {
    var values: Values = [:]
    var generation = 0
    var outside: UInt64 = 0
    /// How many open writes concern each name; the writing thread reads another value than the other threads do.
    var suspended: [ExactString: Int] = [:]
    /// How many open writes concern names that are not known.
    var suspendedWhole = 0

    mutating func forget(_ name: String, into released: inout [any KnownValue]) {
      if let value = values.removeValue(forKey: name.exact) { released.append(value) }
    }
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
    var released: Values = [:]
    defer { withExtendedLifetime(released) {} }
    return state.withLock { state in
      if state.outside != outside {
        state.outside = outside
        state.generation += 1
        swap(&state.values, &released)
      }
      if let known = state.values[name.exact] { return .known(known) }
      return .unknown(generation: state.generation)
    }
  }

  func keep(_ value: any KnownValue, for name: String, since generation: Int) {
    var released: Values = [:]
    state.withLock { state in
      guard state.generation == generation, state.suspendedWhole == 0,
        state.suspended[name.exact] == nil
      else { return }
      if state.values.count >= Self.capacity { swap(&state.values, &released) }
      if let old = state.values.updateValue(value, forKey: name.exact) {
        released[name.exact] = old
      }
    }
    withExtendedLifetime(released) {}
  }

  func forget(_ write: Write) {
    var released: [any KnownValue] = []
    state.withLock { state in
      state.generation += 1
      if state.values.isEmpty { return }
      switch write {
      case .changes(let changes):
        for change in changes { state.forget(change.name, into: &released) }
      case .stream(let name): state.forget(name, into: &released)
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Forgets the names that an open transaction has written, and stores none of them until
  /// ``resume(_:)``; `nil` stands for all names.
  func suspend(_ names: [String]?) {
    change { state, released in
      guard let names else {
        state.suspendedWhole += 1
        return swap(&state.values, &released)
      }
      for name in names {
        if let value = state.values.removeValue(forKey: name.exact) { released[name.exact] = value }
        state.suspended[name.exact, default: 0] += 1
      }
    }
  }

  /// Forgets these names once more and stores them again, after the transaction.
  ///
  /// A cache that was made during the transaction has not suspended them.
  func resume(_ names: [String]?) {
    change { state, released in
      guard let names else {
        state.suspendedWhole = max(0, state.suspendedWhole - 1)
        return swap(&state.values, &released)
      }
      for name in names {
        if let value = state.values.removeValue(forKey: name.exact) { released[name.exact] = value }
        let count = (state.suspended[name.exact] ?? 1) - 1
        state.suspended[name.exact] = count > 0 ? count : nil
      }
    }
  }

  func forgetAll() {
    change { state, released in swap(&state.values, &released) }
  }

  /// Changes the state and moves the generation on; releases values outside of the lock.
  private func change(_ body: (inout State, _ released: inout Values) -> Void) {
    var released: Values = [:]
    state.withLock { state in
      state.generation += 1
      body(&state, &released)
    }
    withExtendedLifetime(released) {}
  }
}
