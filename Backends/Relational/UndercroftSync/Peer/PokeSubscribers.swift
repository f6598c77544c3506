import Synchronization

/// The receivers of the pokes of a server, indexed by scope.
final class PokeSubscribers: Sendable {
  private struct State {
    var receivers: [ScopeIdentifier: [Int: @Sendable (SyncPoke) -> Void]] = [:]
    var scopes: [Int: Set<ScopeIdentifier>] = [:]
    var lastNumber = 0
    var bus: (any PokeBus)?
  }

  /// The minimum capacity, in pokes, of the buffer of a stream.
  ///
  /// If the buffer is full, the oldest poke is dropped.
  private static let capacity = 256

  private let state = Mutex(State())

  /// The number of receivers, for tests.
  var count: Int { state.withLock { $0.scopes.count } }

  /// The scopes that have a receiver.
  var scopes: [ScopeIdentifier] { state.withLock { Array($0.receivers.keys) } }

  /// Sends a poke to all receivers of its scope, in this process and on the bus.
  func poke(_ poke: SyncPoke) {
    deliver(poke)
    state.withLock { $0.bus }?.publish(poke)
  }

  /// Sends a poke to all receivers of its scope in this process.
  func deliver(_ poke: SyncPoke) {
    let concerned = state.withLock { $0.receivers[poke.scope].map { Array($0.values) } ?? [] }
    for receive in concerned { receive(poke) }
  }

  /// Sends all further pokes of this process to a bus.
  func connect(to bus: any PokeBus) { state.withLock { $0.bus = bus } }

  /// Calls a closure for each poke of the given scopes, and returns the number with which to
  /// unsubscribe.
  ///
  /// - Parameter receive: a closure that returns at once, since it delays the request that caused
  ///   the poke.
  func subscribe(
    to scopes: Set<ScopeIdentifier>, _ receive: @escaping @Sendable (SyncPoke) -> Void
  ) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.scopes[state.lastNumber] = scopes
      for scope in scopes { state.receivers[scope, default: [:]][state.lastNumber] = receive }
      return state.lastNumber
    }
  }

  /// Ends a subscription.
  func unsubscribe(_ number: Int) {
    // The closures are deallocated after the lock is released, because their deinitialisers can
    // call this object.
    let removed = state.withLock { state in
      var removed: [(@Sendable (SyncPoke) -> Void)?] = []
      for scope in state.scopes.removeValue(forKey: number) ?? [] {
        removed.append(state.receivers[scope]?.removeValue(forKey: number))
        if state.receivers[scope]?.isEmpty == true { state.receivers[scope] = nil }
      }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Returns a stream that receives the pokes of the given scopes, and its continuation.
  func stream(for scopes: Set<ScopeIdentifier>) -> (
    stream: AsyncStream<SyncPoke>, continuation: AsyncStream<SyncPoke>.Continuation
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncPoke.self, bufferingPolicy: .bufferingNewest(max(Self.capacity, 2 * scopes.count)))
    let number = subscribe(to: scopes) { continuation.yield($0) }
    continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
    return (stream, continuation)
  }
}
