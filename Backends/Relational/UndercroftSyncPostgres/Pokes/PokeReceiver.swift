#if SyncPostgres
  import CPostgres
  import Dispatch
  import Logging
  import Synchronization
  import UndercroftSync

  /// The thread that receives the pokes of other processes, by `LISTEN` or by polling.
  final class PokeReceiver: Sendable {
    private let address: String
    private let options: PostgresSyncOptions
    private let settings: PostgresPokeOptions
    private let sender: String
    private let isStopped = Atomic(false)
    private let queue = DispatchQueue(label: "undercroft.sync.postgres.receiver")
    private let logger = Logger(label: "undercroft.sync.postgres")

    init(
      _ address: String, _ options: PostgresSyncOptions, _ settings: PostgresPokeOptions,
      sender: String
    ) {
      self.address = address
      self.options = options
      self.settings = settings
      self.sender = sender
    }

    /// Begins to receive, and connects again whenever the connection is lost.
    func start(_ receive: @escaping @Sendable (PokeBusEvent) -> Void) {
      queue.async { self.run(receive) }
    }

    /// Ends the thread within a second.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private var mustStop: Bool { isStopped.load(ordering: .relaxed) }

    private func run(_ receive: (PokeBusEvent) -> Void) {
      var polls = settings.transport == .polling
      var failures = 0
      while !mustStop {
        let started = ContinuousClock.now
        do throws(PostgresFailure) {
          let connection = try PostgresConnection.open(address, options)
          if polls { try poll(connection, receive) } else { try listen(connection, receive) }
        } catch {
          if !polls, error.isUnsupported {
            logger.info("the database does not support LISTEN, so its scopes are polled")
            polls = true
            continue
          }
          failures = ContinuousClock.now - started > .seconds(30) ? 1 : failures + 1
          if failures == 1 {
            logger.warning("\(error.storageError("receive the changes of other processes"))")
          }
          pause(for: Backoff.delay(afterAttempt: failures, first: 100, maximum: 10_000))
        }
      }
    }

    /// Pauses in steps, so that ``stop()`` ends the thread soon.
    private func pause(for duration: Duration) {
      let end = ContinuousClock.now + duration
      while !mustStop, ContinuousClock.now < end {
        pauseThread(for: min(end - ContinuousClock.now, .seconds(1)))
      }
    }

    // MARK: Notifications

    private func listen(
      _ connection: PostgresConnection, _ receive: (PokeBusEvent) -> Void
    ) throws(PostgresFailure) {
      _ = try connection.run(PostgresCommand(PostgresStatement(once: "LISTEN undercroft_sync")))
      // Notifications before this connection are lost.
      receive(.gap)
      while !mustStop {
        while let notification = PQnotifies(connection.raw) {
          defer { PQfreemem(notification) }
          deliver(String(cString: notification.pointee.extra), receive)
        }
        let deadline = ContinuousClock.now + .seconds(1)
        let events = waitForSocket(PQsocket(connection.raw), .readable, until: deadline)
        if events.contains(.readable), PQconsumeInput(connection.raw) == 0 {
          throw .connectionLost(connection.lastMessage)
        }
      }
    }

    private func deliver(_ text: String, _ receive: (PokeBusEvent) -> Void) {
      guard let payload = PokePayload(text) else { return receive(.gap) }
      if payload.sender == sender { return }
      guard let pokes = payload.pokes else { return receive(.gap) }
      for poke in pokes { receive(.poke(poke)) }
    }

    // MARK: Polling

    private static let changedScopes = PostgresStatement(
      "undercroft_changed_scopes", [.int8],
      """
      SELECT name, head FROM sync_scope
        WHERE epoch IS NOT NULL AND changed_at > clock_timestamp() - $1 * interval '1 millisecond'
      """)

    /// Reads the scopes that changed since some seconds before the previous poll, and reports those
    /// whose versions are not known.
    ///
    /// A change becomes visible some time after `changed_at`, when its transaction commits.
    /// Therefore a thorough poll, which is rarer because it finds more scopes, also finds the
    /// changes of transactions that waited for a statement and for their client.
    private func poll(
      _ connection: PostgresConnection, _ receive: (PokeBusEvent) -> Void
    ) throws(PostgresFailure) {
      let interval = settings.pollingInterval.timeoutMilliseconds
      let overlap = max(interval * 4, 5_000)
      let thoroughInterval = min(interval * 20, 10_000)
      let longestTransaction =
        options.statementTimeout.timeoutMilliseconds + options.idleTimeout.timeoutMilliseconds
      var known: [ScopeIdentifier: Int64]?
      var previous = ContinuousClock.now
      var previousThorough = previous
      while !mustStop {
        let start = ContinuousClock.now
        let sinceThorough = (start - previousThorough).timeoutMilliseconds
        let isThorough = known == nil || sinceThorough >= thoroughInterval
        let window =
          isThorough
          ? overlap + sinceThorough + longestTransaction
          : overlap + (start - previous).timeoutMilliseconds
        let found = try connection.run(PostgresCommand(Self.changedScopes, [.int8(window)]))
        previous = start
        if isThorough { previousThorough = start }
        var heads: [ScopeIdentifier: Int64] = [:]
        for row in found.rows { heads[ScopeIdentifier(try row.text(0))] = try row.int(1) }
        if let reported = known {
          for (scope, head) in heads where reported[scope] != head {
            receive(.poke(SyncPoke(scope: scope, head: head)))
          }
        } else {
          receive(.gap)
        }
        known = isThorough ? heads : known?.merging(heads) { $1 }
        pause(for: settings.pollingInterval)
      }
    }
  }
#endif
