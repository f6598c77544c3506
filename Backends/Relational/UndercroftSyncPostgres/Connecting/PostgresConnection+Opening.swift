#if SyncPostgres
  import CPostgres
  import UndercroftCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  extension PostgresConnection {
    /// Opens a connection, and sets its timeouts. (`PQconnectStartParams`, `PQconnectPoll`)
    ///
    /// Only the resolution of a host name is not limited by the timeout, because the C library
    /// cannot interrupt it.
    static func open(
      _ address: String, _ options: PostgresSyncOptions
    ) throws(PostgresFailure) -> PostgresConnection {
      try validate(address)
      let deadline = ContinuousClock.now + options.connectTimeout
      let handle = try start(address)
      try connect(handle.raw, until: deadline, options.connectTimeout)
      _ = PQsetNoticeReceiver(handle.raw, { _, _ in }, nil)
      _ = PQsetErrorVerbosity(handle.raw, PQERRORS_DEFAULT)
      guard PQsetnonblocking(handle.raw, 1) == 0, PQenterPipelineMode(handle.raw) == 1 else {
        throw .cannotConnect(line(PQerrorMessage(handle.raw)))
      }
      let connection = PostgresConnection(owning: handle, answerTimeout: options.answerTimeout)
      try connection.configure(options)
      return connection
    }

    /// Throws if a connection string cannot be parsed. (`PQconninfoParse`)
    ///
    /// The message of libpq can contain the password of the string, so the error does not contain
    /// this message.
    private static func validate(_ address: String) throws(PostgresFailure) {
      // Any other string is the name of a database.
      guard address.contains("=") || address.contains("://") else { return }
      guard let parameters = PQconninfoParse(address, nil) else { throw .invalidAddress }
      PQconninfoFree(parameters)
    }

    /// The parameters that the connection string can replace, followed by the string and by the
    /// parameters that it cannot replace.
    private static func start(_ address: String) throws(PostgresFailure) -> PostgresHandle {
      let parameters = [
        ("fallback_application_name", "undercroft-sync"), ("keepalives_idle", "30"),
        ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
        ("dbname", address), ("client_encoding", "UTF8"),
      ]
      var names = parameters.map { strdup($0.0) }
      var values = parameters.map { strdup($0.1) }
      defer { for text in names + values { free(text) } }
      names.append(nil)
      values.append(nil)
      let raw = names.withUnsafeBufferPointer { names in
        values.withUnsafeBufferPointer { values in
          names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
            values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
              PQconnectStartParams(names.baseAddress, values.baseAddress, 1)
            }
          }
        }
      }
      guard let raw else { throw .cannotConnect("there is no memory left") }
      _ = PQsetErrorVerbosity(raw, PQERRORS_VERBOSE)
      return PostgresHandle(owning: raw)
    }

    private static func connect(
      _ raw: OpaquePointer, until deadline: ContinuousClock.Instant, _ timeout: Duration
    ) throws(PostgresFailure) {
      // `PQconnectPoll` is called first when the socket is writable.
      var next = PQstatus(raw) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
      while next != PGRES_POLLING_OK {
        let events: SocketEvents
        switch next {
        case PGRES_POLLING_READING: events = .readable
        case PGRES_POLLING_WRITING: events = .writable
        default:
          throw refusal(raw)
        }
        guard !waitForSocket(PQsocket(raw), events, until: deadline).isEmpty else {
          throw .cannotConnect("the server has not answered within \(timeout)")
        }
        next = PQconnectPoll(raw)
      }
    }

    private static let settings = PostgresStatement(
      once: """
        SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
          set_config('idle_in_transaction_session_timeout', $3, false)
        """, [.text, .text, .text])

    /// Sets the timeouts of the session.
    ///
    /// The server also ends a transaction whose client stops between two statements, because such
    /// a transaction holds the lock of its scope.
    private func configure(_ options: PostgresSyncOptions) throws(PostgresFailure) {
      let timeouts = [
        options.statementTimeout, options.lockTimeout, options.idleTimeout,
      ]
      _ = try run(
        PostgresCommand(Self.settings, timeouts.map { .text("\($0.timeoutMilliseconds)") }))
    }
  }
#endif
