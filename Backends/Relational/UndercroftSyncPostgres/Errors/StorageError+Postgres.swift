#if SyncPostgres
  import UndercroftCore

  extension PostgresFailure {
    /// The name of the backend in errors.
    static let backend = "postgres"

    /// Returns the error to throw for this failure.
    ///
    /// - Parameters:
    ///   - action: the failed operation, such as `write to the scope "user:7"`.
    ///   - hasSentCommit: whether the transaction may have been committed.
    func storageError(_ action: String, hasSentCommit: Bool = false) -> StorageError {
      let isUnknown = hasSentCommit && leavesOutcomeUnknown
      let (code, reason, suggestion) = isUnknown ? unknownOutcome : explanation
      return StorageError(
        code, "cannot \(action): \(reason)", suggestion: suggestion, backend: Self.backend)
    }

    private var leavesOutcomeUnknown: Bool {
      switch self {
      case .refused(let state, _): state.endsConnection || state == .unknownOutcome
      case .connectionLost, .noAnswer, .malformed: true
      case .cannotConnect, .invalidAddress, .invalidName, .poolExhausted, .closed, .ended: false
      }
    }

    private var unknownOutcome: (StorageError.Code, String, String?) {
      (
        .unavailable,
        """
        the connection ended while the transaction was committed, so that it is not known whether \
        it was committed (\(explanation.1))
        """,
        "send the same request again: a packet that was applied before is not applied twice"
      )
    }

    private var explanation: (StorageError.Code, String, String?) {
      switch self {
      case .refused(let state, let message): state.explanation(message)
      case .connectionLost(let message):
        (
          .unavailable, "the connection to PostgreSQL was lost: \(message)",
          "send the request again, and if it fails again, verify that PostgreSQL is running"
        )
      case .cannotConnect(let message, let state, let needsPassword):
        PostgresConnection.explanation(message, state, needsPassword: needsPassword)
      case .noAnswer(let duration):
        (
          .unavailable, "PostgreSQL has not answered within \(duration)",
          """
          verify that PostgreSQL is running and that the network to it is not interrupted, or pass \
          a longer statementTimeout to PostgresSyncOptions
          """
        )
      case .malformed(let message):
        (
          .corrupted, "PostgreSQL has sent an unexpected answer: \(message)",
          "verify that no other program has changed the tables of the store"
        )
      case .invalidAddress:
        (
          .misuse, "the connection string cannot be parsed",
          """
          pass a connection string such as postgresql://user@host/database or \
          host=/run/postgresql dbname=database
          """
        )
      case .invalidName:
        (
          .invalidKey,
          "a name or identifier contains a NUL character, which PostgreSQL cannot store",
          "use names without NUL characters"
        )
      case .poolExhausted(let count, let timeout):
        (
          .unavailable,
          "none of the \(count) connections of the pool became free within \(timeout)",
          "send the request again later, or pass more maximumConnections to PostgresSyncOptions"
        )
      case .closed: (.misuse, "the store is closed", "close the store after its last use")
      case .ended:
        (
          .misuse, "the transaction has ended",
          "use a transaction only inside the closure that receives it"
        )
      }
    }
  }

  extension SQLState {
    fileprivate func explanation(_ message: String) -> (StorageError.Code, String, String?) {
      let reason = "\(message) (SQLSTATE \(self))"
      switch self {
      case .serializationFailure, .deadlock:
        return (
          .unavailable, "every attempt conflicted with other transactions: \(reason)",
          "send the request again later, or pass more attempts to PostgresSyncOptions"
        )
      case .lockTimeout:
        return (
          .locked,
          "another transaction of the scope did not end within the lock timeout: \(reason)",
          "send the request again later, or pass a longer lockTimeout to PostgresSyncOptions"
        )
      case .cancelled:
        return (
          .unavailable, "a statement took longer than the statement timeout: \(reason)",
          "send the request again later, or pass a longer statementTimeout to PostgresSyncOptions"
        )
      case .undefinedTable, .undefinedColumn:
        return (
          .unavailable, "a table of the store is missing or was changed: \(reason)",
          """
          restore the database from a backup, or verify that the connection string names the \
          database and the schema of the store
          """
        )
      case .insufficientPrivilege:
        return (
          .accessDenied, reason,
          """
          grant the user of the connection string SELECT, INSERT, UPDATE and DELETE on the tables \
          of the store, and for the first start CREATE on the schema
          """
        )
      case .readOnly:
        return (
          .unavailable, "the server of the connection string is a standby or read-only: \(reason)",
          "name the primary server, or add target_session_attrs=read-write to the connection string"
        )
      case .dataCorrupted, .indexCorrupted:
        return (
          .corrupted, "the files of PostgreSQL are damaged: \(reason)",
          "examine the database with pg_amcheck, or restore it from a backup"
        )
      case .diskFull:
        return (.full, reason, "free space on the disk of PostgreSQL")
      case .unknownStatement, .duplicateStatement, .featureNotSupported:
        return (
          .unavailable, "the prepared statements of the connection are not valid: \(reason)",
          "connect to PostgreSQL directly or through a pooler in session mode"
        )
      case .missingSchema:
        return (
          .unavailable, "the schema of the store does not exist: \(reason)",
          "create the schema, or correct search_path in the connection string"
        )
      case .programLimit:
        return (.tooLarge, reason, "use shorter names and identifiers, or smaller rows")
      case .uniqueViolation:
        return (.constraintViolated, reason, nil)
      default:
        if errorClass == "53" {
          return (
            .unavailable, reason,
            "increase max_connections or the memory of PostgreSQL, or pass fewer connections"
          )
        }
        if endsConnection {
          return (
            .unavailable, "PostgreSQL has ended the connection: \(reason)",
            "send the request again when PostgreSQL accepts connections"
          )
        }
        return (.io, reason, "read the log of PostgreSQL")
      }
    }
  }
#endif
