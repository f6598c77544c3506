#if SyncHTTP
  import Synchronization
  import UndercroftSync

  /// The streams of pokes of a peer, which share one connection to the server.
  ///
  /// Servers limit the number of connections of an account, and an application can have an engine
  /// for each of many scopes.
  final class PokeHub: Sendable {
    private struct Subscriber {
      let scopes: Set<ScopeIdentifier>
      let continuation: AsyncStream<SyncPoke>.Continuation
    }

    private struct Connection {
      let number: Int
      let scopes: Set<ScopeIdentifier>
      let task: Task<Void, Never>
      var heads: [ScopeIdentifier: Int64] = [:]
    }

    private struct State {
      var subscribers: [Int: Subscriber] = [:]
      var connection: Connection?
      /// The scopes of the subscribers of the connection that was lost.
      ///
      /// The engines subscribe again one after the other. Without these scopes, each of them would
      /// replace the connection.
      var lostScopes: Set<ScopeIdentifier> = []
      var lastNumber = 0

      mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
      }
    }

    /// The minimum capacity, in pokes, of the buffer of a stream.
    private static let capacity = 256
    /// The time in which further subscribers join a new connection.
    private static let joiningTime: Duration = .milliseconds(20)

    private let reader: PokeReader
    private let state = Mutex(State())

    init(_ reader: PokeReader) { self.reader = reader }

    /// Returns a stream of the pokes of the given scopes, which ends with the connection.
    func stream(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> {
      let (stream, continuation) = AsyncStream.makeStream(
        of: SyncPoke.self, bufferingPolicy: .bufferingNewest(max(Self.capacity, 2 * scopes.count)))
      guard !scopes.isEmpty else {
        continuation.finish()
        return stream
      }
      let number = state.withLock { $0.nextNumber() }
      // The closure retains the hub, so a stream remains connected without its peer.
      continuation.onTermination = { _ in self.remove(number) }
      let subscriber = Subscriber(scopes: Set(scopes), continuation: continuation)
      let (pokes, replaced) = state.withLock {
        (state) -> (pokes: [SyncPoke], replaced: Task<Void, Never>?) in
        state.subscribers[number] = subscriber
        if let connection = state.connection, subscriber.scopes.isSubset(of: connection.scopes) {
          let heads = connection.heads.filter { subscriber.scopes.contains($0.key) }
          return (heads.map { SyncPoke(scope: $0.key, head: $0.value) }, nil)
        }
        return ([], connect(&state))
      }
      replaced?.cancel()
      for poke in pokes { continuation.yield(poke) }
      return stream
    }

    /// Ends the connection and all streams.
    func close() {
      let number = state.withLock { state in
        state.connection?.task.cancel()
        return state.connection?.number
      }
      if let number { end(number) }
    }

    /// Replaces the connection by one for the scopes of all subscribers, and returns the task of
    /// the replaced connection.
    private func connect(_ state: inout State) -> Task<Void, Never>? {
      let replaced = state.connection?.task
      let scopes = state.subscribers.values.reduce(into: state.lostScopes) {
        $0.formUnion($1.scopes)
      }
      state.lostScopes = []
      let number = state.nextNumber()
      let task = Task {
        try? await Task.sleep(for: Self.joiningTime)
        // A replaced connection is cancelled in this time.
        if !Task.isCancelled { await self.reader.read(scopes) { self.deliver($0, from: number) } }
        self.end(number)
      }
      state.connection = Connection(number: number, scopes: scopes, task: task)
      return replaced
    }

    private func deliver(_ poke: SyncPoke, from number: Int) {
      let concerned = state.withLock { state -> [Subscriber] in
        guard state.connection?.number == number else { return [] }
        state.connection?.heads[poke.scope] = poke.head
        return state.subscribers.values.filter { $0.scopes.contains(poke.scope) }
      }
      for subscriber in concerned { subscriber.continuation.yield(poke) }
    }

    /// Ends all streams, unless another connection has replaced the given one.
    private func end(_ number: Int) {
      let ended = state.withLock { state -> [Subscriber] in
        guard let connection = state.connection, connection.number == number else { return [] }
        state.lostScopes = state.subscribers.values.reduce(into: []) { $0.formUnion($1.scopes) }
        state.connection = nil
        defer { state.subscribers = [:] }
        return Array(state.subscribers.values)
      }
      for subscriber in ended { subscriber.continuation.finish() }
    }

    private func remove(_ number: Int) {
      let unused = state.withLock { state -> Task<Void, Never>? in
        let removed = state.subscribers.removeValue(forKey: number)
        guard removed != nil, state.subscribers.isEmpty else { return nil }
        defer { state.connection = nil }
        return state.connection?.task
      }
      unused?.cancel()
    }
  }
#endif
