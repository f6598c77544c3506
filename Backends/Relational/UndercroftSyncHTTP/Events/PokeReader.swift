#if SyncHTTP
  import Logging
  import Synchronization
  import UndercroftCore
  import UndercroftSync

  /// A reader of the pokes of a server, from a stream of events or by polling.
  final class PokeReader: Sendable {
    private struct State {
      /// The number of connections in succession that have ended before they delivered anything.
      var failures = 0
      /// The time until which the reader polls, in milliseconds since 1970.
      ///
      /// The device may move to a network that does not delay streams.
      var pollingEnd: Int64 = 0
    }

    /// The milliseconds for which the reader polls before it tries a stream again.
    private static let pollingTime: Int64 = 3_600_000
    /// The maximum number of milliseconds for which a server can delay the next connection.
    private static let longestDelay: Int64 = 300_000
    /// The maximum number of bytes of the names in the address of a stream, because servers and
    /// proxies limit the length of addresses.
    private static let queryBytes = 4_000

    let connection: ServerConnection
    private let state = Mutex(State())

    init(_ connection: ServerConnection) { self.connection = connection }

    /// Passes pokes to `deliver` until the connection is lost, or until the task is cancelled.
    ///
    /// After a connection that has delivered nothing, waits before the next one, because the engine
    /// calls this function again after a short time.
    func read(
      _ scopes: Set<ScopeIdentifier>, deliver: @escaping @Sendable (SyncPoke) -> Void
    ) async {
      let failures = state.withLock { $0.failures }
      let environment = connection.environment
      do {
        if failures > 0 {
          try await environment.sleep(connection.schedule.delay(after: failures, demanded: nil))
        }
        state.withLock { $0.failures += 1 }
        let query = EventStreamRequest.query(scopes)
        let isTooLong = query.utf8.count > Self.queryBytes
        if !isTooLong, !isPollingTime {
          let end = try await readStream(query, deliver)
          guard end == .notDelivered else { return }
        }
        try await poll(scopes, isEndless: isTooLong, deliver)
      } catch let error as StreamRefusal {
        Logger(label: "undercroft").debug("\(error.failure)")
        guard let wait = error.demandedWait else { return }
        try? await environment.sleep(min(wait, Self.longestDelay))
      } catch {
        // Pokes are only hints, so the engine synchronises at its interval meanwhile.
        if !Task.isCancelled { Logger(label: "undercroft").debug("\(error)") }
      }
    }

    /// Notes that the server has delivered something.
    func noteDelivery() { state.withLock { $0.failures = 0 } }

    // MARK: Polling

    /// Polls the server until a request fails or, unless polling is endless, until the time to try
    /// a stream again.
    private func poll(
      _ scopes: Set<ScopeIdentifier>, isEndless: Bool, _ deliver: @Sendable (SyncPoke) -> Void
    ) async throws {
      let options = connection.options
      let environment = connection.environment
      let longest = min(options.pollDuration.milliseconds, options.idleTimeout.milliseconds / 2)
      var heads = Dictionary(uniqueKeysWithValues: scopes.map { ($0, Int64(-1)) })
      // The head -1 differs from the head of every scope that exists. The first request is
      // answered immediately, so that the reader notices whether polling succeeds.
      var (isFirst, milliseconds) = (true, Int64(0))
      while true {
        let start = environment.now()
        let message = connection.message(
          to: "wait", PokeMessage.wait(heads, milliseconds: milliseconds), isPoll: true)
        guard let pokes = PokeMessage.heads(try await connection.post(message)) else {
          throw StorageError.unreadablePollAnswer
        }
        if isFirst { notePolling() }
        var hasChanged = false
        for poke in pokes where scopes.contains(poke.scope) {
          guard heads[poke.scope] != poke.head else { continue }
          heads[poke.scope] = poke.head
          hasChanged = true
          deliver(poke)
        }
        guard isEndless || isPollingTime else { return }
        // A server that answers too early must not be asked without end.
        if !isFirst, !hasChanged, environment.now() - start < 1_000 {
          try await environment.sleep(1_000)
        }
        (isFirst, milliseconds) = (false, max(1, longest))
      }
    }

    /// Whether the reader polls without trying a stream first.
    private var isPollingTime: Bool {
      let remaining = state.withLock { $0.pollingEnd } - connection.environment.now()
      // The clock of the system may have been set back.
      return remaining > 0 && remaining <= Self.pollingTime
    }

    /// Notes that polling succeeds, after a stream has delivered nothing.
    private func notePolling() {
      let isContinued = isPollingTime
      let end = connection.environment.now() + Self.pollingTime
      state.withLock { state in
        state.failures = 0
        if !isContinued { state.pollingEnd = end }
      }
    }
  }
#endif
