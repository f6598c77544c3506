#if SyncServer
  import Synchronization
  import UndercroftSync

  /// The events that an open stream has not written yet.
  ///
  /// Only the latest version of each scope is stored, so the memory is limited by the number of
  /// scopes, however slowly the client reads.
  final class EventMailbox: Sendable {
    /// The events that the stream writes next.
    enum Delivery: Sendable, Equatable {
      /// The latest pokes, one for each scope that has changed.
      case pokes([SyncPoke])
      /// A comment, which shows that the connection works.
      case heartbeat
      /// The end of the stream.
      case end
    }

    private struct State {
      var heads: [ScopeIdentifier: Int64] = [:]
      /// The number of heartbeats that were posted since the last delivery.
      var heartbeats = 0
      var isEnded = false
      var waiter: CheckedContinuation<Delivery, Never>?

      /// Removes the next events, or returns `nil` if there are none.
      mutating func next() -> Delivery? {
        if isEnded { return .end }
        if !heads.isEmpty {
          defer { heads = [:] }
          return .pokes(
            heads.map { SyncPoke(scope: $0.key, head: $0.value) }.sorted { $0.scope < $1.scope })
        }
        if heartbeats > 0 { return .heartbeat }
        return nil
      }
    }

    private let state = Mutex(State())

    /// Adds a poke, which replaces those of earlier versions of the scope.
    ///
    /// A poke can be posted after that of a later version, for example the version that was read
    /// when the stream was opened.
    func post(_ poke: SyncPoke) {
      change { $0.heads[poke.scope] = max($0.heads[poke.scope] ?? poke.head, poke.head) }
    }

    /// Adds a heartbeat, and returns the number of heartbeats that were not delivered yet.
    @discardableResult
    func postHeartbeat() -> Int {
      change {
        $0.heartbeats += 1
        return $0.heartbeats
      }
    }

    /// Ends the stream.
    func end() { change { $0.isEnded = true } }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
      let (result, waiter, delivery) = state.withLock {
        state -> (Result, CheckedContinuation<Delivery, Never>?, Delivery) in
        let result = body(&state)
        guard let waiter = state.waiter, let delivery = state.next() else {
          return (result, nil, .end)
        }
        state.waiter = nil
        state.heartbeats = 0
        return (result, waiter, delivery)
      }
      waiter?.resume(returning: delivery)
      return result
    }

    /// Returns the next events, and waits until there are some.
    ///
    /// Only one task may call this function at a time. If the task is cancelled, the stream ends.
    func next() async -> Delivery {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let delivery = state.withLock { state -> Delivery? in
            if let delivery = state.next() {
              state.heartbeats = 0
              return delivery
            }
            state.waiter = continuation
            return nil
          }
          if let delivery { continuation.resume(returning: delivery) }
        }
      } onCancel: {
        end()
      }
    }
  }
#endif
