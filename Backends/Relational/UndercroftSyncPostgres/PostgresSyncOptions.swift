#if SyncPostgres
  /// The limits and timeouts of a ``PostgresSyncStore``.
  public struct PostgresSyncOptions: Sendable, Hashable {
    /// The maximum number of connections that the store opens, at least 1.
    ///
    /// All server processes together must stay below `max_connections` of PostgreSQL.
    public var maximumConnections: Int
    /// The longest wait for a free connection of the pool.
    public var poolTimeout: Duration
    /// The longest wait until a new connection is established.
    public var connectTimeout: Duration
    /// The longest wait for the lock of a scope, which other transactions of the scope hold.
    public var lockTimeout: Duration
    /// The longest time of a statement, including its wait for locks.
    ///
    /// If the server has not answered some seconds after this time, such as when the network is
    /// interrupted, the connection is closed.
    public var statementTimeout: Duration
    /// The number of times that a transaction runs if it conflicts with others or if its connection
    /// is lost before it commits.
    public var attempts: Int

    /// Creates the default options: 8 connections, 30 seconds for statements and for the pool, and
    /// 10 seconds for locks and new connections.
    public init(
      maximumConnections: Int = 8, poolTimeout: Duration = .seconds(30),
      connectTimeout: Duration = .seconds(10), lockTimeout: Duration = .seconds(10),
      statementTimeout: Duration = .seconds(30), attempts: Int = 10
    ) {
      self.maximumConnections = maximumConnections
      self.poolTimeout = poolTimeout
      self.connectTimeout = connectTimeout
      self.lockTimeout = lockTimeout
      self.statementTimeout = statementTimeout
      self.attempts = attempts
    }

    /// The time after which a connection whose server does not answer is closed.
    ///
    /// The server reports a timeout of its own first, unless the network is interrupted.
    var answerTimeout: Duration { statementTimeout + .seconds(5) }

    /// The time after which the server ends a transaction whose client stops between two
    /// statements.
    var idleTimeout: Duration { statementTimeout + .seconds(30) }
  }

  extension Duration {
    /// The whole milliseconds, from 1 to the maximum of a timeout in PostgreSQL.
    var timeoutMilliseconds: Int64 {
      // The components of a sum with the maximum of a duration would trap.
      let maximum = Duration.milliseconds(Int64(Int32.max))
      let (seconds, attoseconds) = min(max(.zero, self), maximum).components
      return max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
  }
#endif
