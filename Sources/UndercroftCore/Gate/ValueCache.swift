import Synchronization

/// A cache of the decoded values of one gate, so that
/// reading a cached setting needs only a memory access.
///
/// A value that was read before a write must not be cached after that write. Every write
/// therefore increments the generation of the cache. A reader gets the generation before it
/// reads, and its value is cached only if the generation is still the same. Values are released
/// outside the lock, because the deinitializer of a caller's value may read a setting.
final class ValueCache: Sendable {
  private typealias Values = [ExactString: any CachedValue]

  private struct State {
    var values: Values = [:]
    var generation = 0
    var externalChangeCount: UInt64 = 0
    /// The number of open transactions that have written each name.
    ///
    /// Only the thread of such a transaction reads the new values before the commit.
    var suspended: [ExactString: Int] = [:]
    /// The number of open transactions that have written unknown names.
    var suspendedAll = 0

    mutating func invalidate(_ name: String, into released: inout [any CachedValue]) {
      if let value = values.removeValue(forKey: name.exact) { released.append(value) }
    }
  }

  /// The maximum number of cached values.
  ///
  /// Stores of settings usually contain fewer values. Storing
  /// a value in a full cache empties the cache first.
  private static let capacity = 10_000

  private let state = Mutex(State())

  enum Answer {
    case known(any CachedValue)
    /// No value is cached. The caller reads the value, and
    /// passes this generation to ``store(_:for:since:)``.
    case unknown(generation: Int)
  }

  /// Returns the cached value of `name`, or the generation of the cache if no value is cached.
  ///
  /// - Parameter externalChangeCount: the backend's count of changes that were not made
  ///   through the gate; a different count than in the last call empties the cache.
  func answer(for name: String, externalChangeCount: UInt64) -> Answer {
    var released: Values = [:]
    defer { withExtendedLifetime(released) {} }
    return state.withLock { state in
      if state.externalChangeCount != externalChangeCount {
        state.externalChangeCount = externalChangeCount
        state.generation += 1
        swap(&state.values, &released)
      }
      if let known = state.values[name.exact] { return .known(known) }
      return .unknown(generation: state.generation)
    }
  }

  func store(_ value: any CachedValue, for name: String, since generation: Int) {
    var released: Values = [:]
    state.withLock { state in
      guard state.generation == generation, state.suspendedAll == 0,
        state.suspended[name.exact] == nil
      else { return }
      if state.values.count >= Self.capacity { swap(&state.values, &released) }
      if let old = state.values.updateValue(value, forKey: name.exact) {
        released[name.exact] = old
      }
    }
    withExtendedLifetime(released) {}
  }

  func invalidate(_ write: Gate.Write) {
    var released: [any CachedValue] = []
    state.withLock { state in
      state.generation += 1
      if state.values.isEmpty { return }
      switch write {
      case .changes(let changes):
        for change in changes { state.invalidate(change.name, into: &released) }
      case .stream(let name): state.invalidate(name, into: &released)
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Removes the cached values of names that an open transaction has
  /// written, and stops caching values of these names until ``resume(_:)``.
  ///
  /// - Parameter names: the names, or `nil` for all names.
  func suspend(_ names: [String]?) {
    change { state, released in
      guard let names else {
        state.suspendedAll += 1
        return swap(&state.values, &released)
      }
      for name in names {
        if let value = state.values.removeValue(forKey: name.exact) { released[name.exact] = value }
        state.suspended[name.exact, default: 0] += 1
      }
    }
  }

  /// Removes the cached values of names that a transaction has written, after
  /// the transaction has ended, and resumes caching values of these names.
  ///
  /// If the cache was created during the transaction, ``suspend(_:)`` was not
  /// called for the names. This function then only removes the cached values.
  ///
  /// - Parameter names: the names, or `nil` for all names.
  func resume(_ names: [String]?) {
    change { state, released in
      guard let names else {
        state.suspendedAll = max(0, state.suspendedAll - 1)
        return swap(&state.values, &released)
      }
      for name in names {
        if let value = state.values.removeValue(forKey: name.exact) { released[name.exact] = value }
        let count = (state.suspended[name.exact] ?? 1) - 1
        state.suspended[name.exact] = count > 0 ? count : nil
      }
    }
  }

  func invalidateAll() {
    change { state, released in swap(&state.values, &released) }
  }

  /// Increments the generation and changes the state under the
  /// lock, and then releases the values that `body` has removed.
  private func change(_ body: (inout State, _ released: inout Values) -> Void) {
    var released: Values = [:]
    state.withLock { state in
      state.generation += 1
      body(&state, &released)
    }
    withExtendedLifetime(released) {}
  }
}
