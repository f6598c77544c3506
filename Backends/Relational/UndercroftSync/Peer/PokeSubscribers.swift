import Synchronization

/// The streams that receive the pokes of a server.
final class PokeSubscribers: Sendable {
  private struct Subscriber {
    let scopes: Set<ScopeIdentifier>
    let continuation: AsyncStream<SyncPoke>.Continuation
  }

  private struct State {
    var subscribers: [Int: Subscriber] = [:]
    var lastNumber = 0
  }

  /// The minimum capacity, in pokes, of the buffer of a stream.
  ///
  /// If the buffer is full, the oldest poke is dropped.
  private static let capacity = 256

  private let state = Mutex(State())

  /// The number of streams, for tests.
  var count: Int { state.withLock { $0.subscribers.count } }

  /// Sends a poke to all streams of its scope.
  func poke(_ poke: SyncPoke) {
    let concerned = state.withLock { state in
      state.subscribers.values.filter { $0.scopes.contains(poke.scope) }
    }
    for subscriber in concerned { subscriber.continuation.yield(poke) }
  }

  /// Returns a stream that receives the pokes of the given scopes, and its continuation.
  func stream(for scopes: Set<ScopeIdentifier>) -> (
    stream: AsyncStream<SyncPoke>, continuation: AsyncStream<SyncPoke>.Continuation
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncPoke.self, bufferingPolicy: .bufferingNewest(max(Self.capacity, 2 * scopes.count)))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.subscribers[state.lastNumber] = Subscriber(scopes: scopes, continuation: continuation)
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
    }
    return (stream, continuation)
  }
}
