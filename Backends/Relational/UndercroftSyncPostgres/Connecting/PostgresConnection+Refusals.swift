#if SyncPostgres
  import CPostgres
  import UndercroftCore

  extension PostgresConnection {
    /// Returns the failure of a connection that was not established.
    ///
    /// Before a connection is established, libpq reports the error code of the server only in
    /// verbose messages, such as "FATAL:  28P01: password authentication failed", which also
    /// contain the place in the source of the server.
    static func refusal(_ raw: OpaquePointer) -> PostgresFailure {
      let message = line(PQerrorMessage(raw))
        .split(separator: "; ").filter { !$0.hasPrefix("LOCATION:") }.joined(separator: "; ")
      let needsPassword = PQconnectionNeedsPassword(raw) == 1
      let code = #/: {2}([0-9A-Z]{5}): /#
      guard let state = message.matches(of: code).last?.output.1 else {
        return .cannotConnect(message, needsPassword: needsPassword)
      }
      return .cannotConnect(
        message.replacing(code, with: ": ") + " (SQLSTATE \(state))", SQLState(String(state)),
        needsPassword: needsPassword)
    }

    /// Returns the code, the reason and the suggestion of the error for a connection that was not
    /// established.
    ///
    /// - Parameters:
    ///   - message: the message of libpq.
    ///   - state: the error code of the server, or `nil` if the server has sent none.
    ///   - needsPassword: whether the server has asked for a password, and there is none.
    static func explanation(
      _ message: String, _ state: SQLState?, needsPassword: Bool
    ) -> (StorageError.Code, String, String?) {
      let reason = "no connection to PostgreSQL could be established: \(message)"
      if needsPassword {
        return (
          .accessDenied, reason,
          "pass the password in the connection string, in PGPASSWORD or in a password file"
        )
      }
      switch state {
      case .insufficientPrivilege:
        return (
          .accessDenied, reason,
          "grant the user of the connection string CONNECT on the database"
        )
      case .missingDatabase:
        return (
          .unavailable, reason,
          "create the database with ENCODING 'UTF8', or correct its name in the connection string"
        )
      case .tooManyConnections:
        return (
          .unavailable, reason,
          """
          send the request again later, and increase max_connections or the limit of the user or \
          of the database, or pass fewer maximumConnections to PostgresSyncOptions
          """
        )
      case .cannotConnectNow:
        return (.unavailable, reason, "send the request again when PostgreSQL accepts connections")
      case let state? where state.errorClass == "28":
        return (
          .accessDenied, reason,
          """
          correct the user or the password of the connection string, or the authentication rules \
          of PostgreSQL (pg_hba.conf)
          """
        )
      default:
        return (
          .unavailable, reason,
          """
          verify that PostgreSQL is running, and that the connection string names its host, port, \
          database and user
          """
        )
      }
    }
  }
#endif
