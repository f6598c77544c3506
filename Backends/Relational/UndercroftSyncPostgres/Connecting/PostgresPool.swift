#if SyncPostgres
  import Dispatch
  import Synchronization
  import UndercroftCore

  /// A connection pool with a maximum number of connections, which are opened when they are needed.
  final class PostgresPool: Sendable {
    private struct State {
      var idle: [PostgresConnection] = []
      var isClosed = false
    }

    private let address: String
    private let options: PostgresSyncOptions
    private let state = Mutex(State())
    private let permits: DispatchSemaphore

    init(_ address: String, _ options: PostgresSyncOptions) {
      self.address = address
      self.options = options
      // A semaphore must not be deallocated with fewer permits than it was created with.
      permits = DispatchSemaphore(value: 0)
      for _ in 0..<maximumCount { permits.signal() }
    }

    /// The maximum number of connections, of which PostgreSQL itself accepts fewer than 2^18.
    private var maximumCount: Int { min(max(1, options.maximumConnections), 1 << 18) }

    /// Returns a connection that no other thread uses and that is in no transaction, and that must
    /// be released.
    func acquire() throws(PostgresFailure) -> PostgresConnection {
      let timeout = Int(options.poolTimeout.timeoutMilliseconds)
      guard permits.wait(timeout: .now() + .milliseconds(timeout)) == .success else {
        throw .poolExhausted(maximumCount, within: options.poolTimeout)
      }
      do throws(PostgresFailure) {
        if let idle = try takeIdle() { return idle }
        return try PostgresConnection.open(address, options)
      } catch {
        permits.signal()
        throw error
      }
    }

    private func takeIdle() throws(PostgresFailure) -> PostgresConnection? {
      let (idle, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
      guard !isClosed else { throw .closed }
      return idle
    }

    /// Stores a connection for the next caller, or closes it if it is broken, if it is in a
    /// transaction, or if the pool was closed.
    func release(_ connection: PostgresConnection) {
      if !connection.isBroken, connection.isIdle {
        state.withLock { state in
          if !state.isClosed { state.idle.append(connection) }
        }
      } else if connection.isBroken {
        closeIdle()
      }
      permits.signal()
    }

    /// Closes all connections that are not in use.
    ///
    /// After PostgreSQL was restarted, all of them are broken.
    private func closeIdle() {
      let idle = state.withLock { state in
        defer { state.idle = [] }
        return state.idle
      }
      // The connections are closed here, outside of the lock.
      withExtendedLifetime(idle) {}
    }

    /// Closes the connections that are not in use, and the others when they are released.
    func close() {
      state.withLock { $0.isClosed = true }
      closeIdle()
    }
  }
#endif
