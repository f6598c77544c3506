#if SyncPostgres
  import Dispatch
  import Synchronization
  import UndercroftSync

  /// The sender of notifications, which collects pokes and sends them on one connection.
  ///
  /// A transaction with `NOTIFY` acquires a lock of the whole database when it commits. Therefore
  /// the transactions of packets contain no `NOTIFY`, and one statement sends the pokes of many
  /// packets.
  final class PokeNotifier: Sendable {
    private struct State {
      var heads: [ScopeIdentifier: Int64] = [:]
      /// Whether there were too many scopes, so that any scope may have changed.
      var isOverfull = false
      var isScheduled = false
      var isStopped = false
      var failures = 0
      var connection: PostgresConnection?

      mutating func add(_ poke: SyncPoke) {
        guard !isOverfull else { return }
        heads[poke.scope] = max(heads[poke.scope] ?? .min, poke.head)
        if heads.count > PokeNotifier.capacity {
          heads = [:]
          isOverfull = true
        }
      }
    }

    /// The maximum number of scopes that are collected.
    private static let capacity = 10_000

    private let address: String
    private let options: PostgresSyncOptions
    private let interval: Duration
    private let sender: String
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "undercroft.sync.postgres.notifier")

    init(
      _ address: String, _ options: PostgresSyncOptions, interval: Duration, sender: String
    ) {
      self.address = address
      self.options = options
      self.interval = interval
      self.sender = sender
    }

    /// Adds a poke to those that are sent at the end of the interval, and returns at once.
    func add(_ poke: SyncPoke) {
      let mustSchedule = state.withLock { state in
        guard !state.isStopped else { return false }
        state.add(poke)
        defer { state.isScheduled = true }
        return !state.isScheduled
      }
      if mustSchedule { schedule(after: interval) }
    }

    /// Drops the collected pokes, and sends no further ones.
    func stop() {
      let connection = state.withLock { state in
        defer { state = State(isStopped: true) }
        return state.connection
      }
      // The connection is closed on the queue, because it may be in use there.
      queue.async { withExtendedLifetime(connection) {} }
    }

    private func schedule(after delay: Duration) {
      let milliseconds = Int(delay.timeoutMilliseconds)
      queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
        self?.send()
      }
    }

    private static let notify = PostgresStatement(
      "undercroft_notify", [.textArray],
      "SELECT count(pg_notify('undercroft_sync', item)) FROM unnest($1) AS item")

    private func send() {
      let (pokes, existing) = state.withLock { state in
        state.isScheduled = false
        let pokes: [SyncPoke]? =
          state.isOverfull ? nil : state.heads.map { SyncPoke(scope: $0.key, head: $0.value) }
        state.heads = [:]
        state.isOverfull = false
        return (pokes, state.isStopped ? nil : (state.connection, true))
      }
      guard let existing, pokes?.isEmpty != true else { return }
      do throws(PostgresFailure) {
        let connection: PostgresConnection
        if let open = existing.0, !open.isBroken {
          connection = open
        } else {
          connection = try PostgresConnection.open(address, options)
        }
        let payloads = PokePayload.payloads(from: sender, pokes)
        _ = try connection.run(
          PostgresCommand(Self.notify, [.textArray(payloads.map(\.self))]))
        state.withLock { state in
          guard !state.isStopped else { return }
          state.connection = connection
          state.failures = 0
        }
      } catch {
        // The processes poll if the database supports neither LISTEN nor NOTIFY.
        if error.isUnsupported {
          stop()
        } else {
          sendAgain(pokes)
        }
      }
    }

    /// Collects pokes again that could not be sent, and sends them after a delay.
    private func sendAgain(_ pokes: [SyncPoke]?) {
      let delay = state.withLock { state -> Duration? in
        state.connection = nil
        guard !state.isStopped else { return nil }
        if let pokes {
          for poke in pokes { state.add(poke) }
        } else {
          state.isOverfull = true
        }
        state.failures += 1
        guard !state.isScheduled else { return nil }
        state.isScheduled = true
        return Backoff.delay(afterAttempt: state.failures, first: 100, maximum: 10_000)
      }
      if let delay { schedule(after: max(delay, interval)) }
    }
  }
#endif
