#if SyncPostgres
  import UndercroftCore

  /// The reason for which a command on a connection to PostgreSQL failed.
  enum PostgresFailure: Error, Sendable {
    /// The server has refused a statement, with the primary message of its error.
    case refused(SQLState, String)
    /// The connection ended before the answer arrived.
    case connectionLost(String)
    /// No connection was established; the server may have refused it with an error code.
    case cannotConnect(String, SQLState? = nil, needsPassword: Bool = false)
    /// The answer did not arrive in time, so the connection was closed.
    case noAnswer(within: Duration)
    /// The answer has another form than the statement promises.
    case malformed(String)
    /// The connection string cannot be parsed.
    case invalidAddress
    /// A name cannot be stored.
    case invalidName
    /// All connections of the pool were in use.
    case poolExhausted(Int, within: Duration)
    /// The store or the bus was closed.
    case closed
    /// A transaction was used after its closure had returned.
    case ended
  }

  extension PostgresFailure {
    /// Whether the connection cannot be used again.
    var endsConnection: Bool {
      switch self {
      case .refused(let state, _): state.endsConnection || state.invalidatesStatements
      case .invalidAddress, .invalidName, .poolExhausted, .closed, .ended: false
      default: true
      }
    }

    /// Whether the database does not know a statement or function, as CockroachDB does not know
    /// `LISTEN`.
    var isUnsupported: Bool {
      guard case .refused(let state, _) = self else { return false }
      return [.featureNotSupported, .syntaxError, .undefinedFunction].contains(state)
    }

    /// Whether the transaction has no effect, and the same transaction may succeed on another
    /// connection or later.
    ///
    /// - Parameter hasSentCommit: whether the connection may have committed the transaction. A
    ///   connection that is lost then leaves the outcome unknown.
    func allowsRetry(hasSentCommit: Bool) -> Bool {
      switch self {
      case .refused(let state, _):
        state.asksForRetry
          || (state.endsConnection || state.invalidatesStatements) && !hasSentCommit
      case .connectionLost: !hasSentCommit
      default: false
      }
    }
  }
#endif
