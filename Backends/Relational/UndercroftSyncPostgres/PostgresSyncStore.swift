#if SyncPostgres
  import UndercroftCore
  public import UndercroftSync

  /// A store of a synchronisation server in a PostgreSQL database.
  ///
  /// Several processes can use one database at the same time, and each of them can serve any scope:
  /// a transaction locks the row of its scope. Connect the servers of the processes with a
  /// ``PostgresPokeBus``, so that a change in one process reaches the replicas of the others.
  ///
  /// The closure of a transaction runs again if the transaction conflicts with others (SQLSTATE
  /// 40001 and 40P01), or if its connection is lost before it commits. If the connection is lost
  /// while it commits, the call throws ``/UndercroftCore/StorageError/Code/unavailable``, and the
  /// transaction may have been committed. A replica then sends its packet again, and the server
  /// recognises the operations that it has applied.
  ///
  /// A commit is as durable as `synchronous_commit` of the database states; by default, it survives
  /// a power failure.
  public final class PostgresSyncStore: SyncServerStore {
    private let pool: PostgresPool
    private let attempts: Int

    /// Connects to a database, and creates the tables of the store if they do not exist.
    ///
    /// - Parameters:
    ///   - connection: a connection string of libpq, such as
    ///     `postgresql://user@host/database?sslmode=verify-full` or `host=/run/postgresql`. The
    ///     environment variables of libpq, such as `PGHOST`, provide what the string omits.
    ///   - options: the limits and timeouts.
    /// - Throws: a `StorageError`: `unavailable` if no connection can be established,
    ///   `accessDenied` if a right is missing, and `notSupported` for tables of another version or
    ///   a database with another encoding than UTF-8.
    public convenience init(
      _ connection: String, options: PostgresSyncOptions = PostgresSyncOptions()
    ) throws {
      try self.init(connection, options: options, createsTables: true)
    }

    /// Connects to a database, and throws ``/UndercroftCore/StorageError/Code/unavailable`` if the
    /// tables do not exist, unless they are to be created.
    package init(
      _ connection: String, options: PostgresSyncOptions, createsTables: Bool
    ) throws {
      pool = PostgresPool(connection, options)
      attempts = max(1, options.attempts)
      try withConnection(to: "open the synchronisation store") { connection in
        try PostgresSchema.ensure(on: connection, createsTables: createsTables)
      }
    }

    /// Runs `body` in a transaction that locks the scope.
    ///
    /// `body` can run several times, of which only the last is committed.
    public func write<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
    ) throws -> Result {
      try run(scope, isWriter: true, body)
    }

    /// Runs `body` with a snapshot of the scope, which no writer delays.
    ///
    /// `body` can run several times.
    public func read<Result>(
      in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
    ) throws -> Result {
      try run(scope, isWriter: false, body)
    }

    /// Returns the scopes that have a state.
    public func scopes() throws -> [ScopeIdentifier] {
      let action = "list the scopes of the synchronisation store"
      return try retrying {
        try withConnection(to: action) { connection in
          do throws(PostgresFailure) {
            let rows = try connection.run(PostgresCommand(.scopes)).rows
            return .finished(
              try rows.map { (row) throws(PostgresFailure) in ScopeIdentifier(try row.text(0)) })
          } catch { return .failed(error, error.storageError(action), hasSentCommit: false) }
        }
      }
    }

    /// Closes all connections.
    ///
    /// Transactions that run now are finished. Every later call throws an error.
    public func close() { pool.close() }

    // MARK: Transactions

    private func run<Result>(
      _ scope: ScopeIdentifier, isWriter: Bool, _ body: (PostgresTransaction) throws -> Result
    ) throws -> Result {
      try retrying { try runOnce(scope, isWriter: isWriter, body) }
    }

    /// Calls `body` again, after a delay, for failures that allow it.
    private func retrying<Result>(
      _ body: () throws -> TransactionOutcome<Result>
    ) throws -> Result {
      var attempt = 1
      while true {
        switch try body() {
        case .finished(let result): return result
        case .failed(let failure, let error, let hasSentCommit):
          guard attempt < attempts, failure.allowsRetry(hasSentCommit: hasSentCommit) else {
            throw error
          }
          pauseThread(for: Backoff.delay(afterAttempt: attempt))
          attempt += 1
        }
      }
    }

    private enum TransactionOutcome<Result> {
      case finished(Result)
      case failed(PostgresFailure, any Error, hasSentCommit: Bool)
    }

    private func runOnce<Result>(
      _ scope: ScopeIdentifier, isWriter: Bool, _ body: (PostgresTransaction) throws -> Result
    ) throws -> TransactionOutcome<Result> {
      let connection = try acquire(
        to: "\(isWriter ? "write to" : "read") the scope \(quoted(scope.text))")
      defer { pool.release(connection) }
      let transaction = PostgresTransaction(scope, connection, isWriter: isWriter)
      defer { transaction.end() }
      do {
        if isWriter { try transaction.lock() }
        let result = try body(transaction)
        // The closure may have ignored the error of a command, after which nothing is committed.
        if let failure = transaction.failure { throw failure.storageError(transaction.action) }
        try transaction.commit()
        return .finished(result)
      } catch {
        transaction.rollBack()
        guard let failure = transaction.failure else { throw error }
        return .failed(failure, error, hasSentCommit: transaction.hasSentCommit)
      }
    }

    private func withConnection<Result>(
      to action: String, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
      let connection = try acquire(to: action)
      defer { pool.release(connection) }
      return try body(connection)
    }

    private func acquire(to action: String) throws -> PostgresConnection {
      do throws(PostgresFailure) { return try pool.acquire() } catch {
        throw error.storageError(action)
      }
    }
  }
#endif
