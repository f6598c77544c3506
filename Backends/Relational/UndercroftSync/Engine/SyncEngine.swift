import UndercroftCore
public import UndercroftSQLite

/// An engine that synchronises tables of one database with a server.
///
/// Applications write to their tables as before, with any API and in any process. The engine sends
/// these changes to the server, and applies the changes of other replicas. Nothing is sent before
/// it is committed locally, and nothing is lost while the server cannot be reached.
///
/// ```swift
/// let engine = try SyncEngine(
///   database, scope: "user:7", account: "7", tables: [SyncedTable("book")], peer: peer)
/// try engine.start()
/// ```
public final class SyncEngine: Sendable {
  let runner: SyncRunner
  private let loop: SyncLoop

  /// Creates an engine, and switches synchronisation on for the tables.
  ///
  /// If the tables contain rows and were not synchronised before, this call enqueues all of these
  /// rows, which takes several seconds for millions of rows.
  ///
  /// - Parameters:
  ///   - database: the database, which can have an engine for each of several scopes.
  ///   - scope: the part of the server's data with which the tables are synchronised.
  ///   - account: the account to which the database belongs.
  ///   - tables: the tables of the scope.
  ///   - direction: whether the engine also receives changes of other replicas, or only sends
  ///     changes.
  ///   - peer: the server, such as ``SyncServer/peer(account:)``.
  ///   - schemaVersion: the version of the schema of the application, which a server can refuse.
  ///   - cipher: the encryption of values before they are sent, such as `SyncEncryption` of the
  ///     product `UndercroftSyncEncryption`, or `nil` if the server may read the values.
  ///   - options: the delays and intervals after which the engine synchronises automatically.
  /// - Throws: ``StorageError/Code/notSupported`` for a table whose changes cannot be captured;
  ///   ``StorageError/Code/constraintViolated`` if the key of an existing row cannot be an
  ///   identifier; ``StorageError/Code/misuse`` for unknown columns, for counters with another
  ///   policy or with a foreign key to a synchronised table, and if the scope belongs to another
  ///   account or a table to another scope.
  public convenience init(
    _ database: Database, scope: ScopeIdentifier, account: String, tables: [SyncedTable],
    direction: SyncDirection = .twoWay, peer: some SyncPeer, schemaVersion: Int64 = 1,
    cipher: (any SyncValueCipher)? = nil, options: SyncOptions = SyncOptions()
  ) throws {
    try self.init(
      database, scope: scope, account: account, tables: tables, direction: direction, peer: peer,
      schemaVersion: schemaVersion, cipher: cipher, options: options, environment: .system)
  }

  /// Creates an engine with other sources of times and identifiers, such as those of a test.
  package init(
    _ database: Database, scope: ScopeIdentifier, account: String, tables: [SyncedTable],
    direction: SyncDirection = .twoWay, peer: any SyncPeer, schemaVersion: Int64 = 1,
    cipher: (any SyncValueCipher)? = nil, options: SyncOptions = SyncOptions(),
    environment: SyncEnvironment
  ) throws {
    try SyncSchema.add(
      tables, toScope: scope, account: account, direction: direction, in: database,
      environment: environment)
    let replica = Replica(
      database: database, scope: scope, environment: environment, schemaVersion: schemaVersion,
      cipher: cipher)
    // Applies the values of columns and the rows of tables that an earlier version of the
    // application received before it had these columns and tables.
    try replica.adoptExtras()
    runner = SyncRunner(
      replica, account: account, isOneWay: direction == .oneWay, tables: tables, peer: peer)
    loop = SyncLoop(runner, options, tables: tables.map(\.name))
    try runner.refreshStatus()
  }

  deinit { loop.stop() }

  // MARK: Synchronising

  /// Synchronises now, and returns after nothing is left to do.
  ///
  /// Calls of the same engine run one after another. If another engine, such as one in another
  /// process, synchronises the same file, returns immediately with
  /// ``SyncOutcome/isLeasedElsewhere``.
  ///
  /// - Throws: a `StorageError` with a suggestion, after which all unsent changes remain in the
  ///   queue; `CancellationError` if the task is cancelled.
  @discardableResult
  public func sync() async throws -> SyncOutcome { try await runner.run() }

  /// Starts to synchronise automatically.
  ///
  /// The engine synchronises immediately, and then after local commits, hints of the server and
  /// calls of ``touch(_:)``, and at the intervals of the options.
  ///
  /// - Throws: an error of the system if the database cannot be observed;
  ///   ``StorageError/Code/misuse`` after ``disable()``.
  public func start() throws {
    try runner.requireEnabled()
    try loop.start()
  }

  /// Ends the automatic synchronisation that ``start()`` began.
  ///
  /// If an exchange with the server is running, it is cancelled, but can end later than this call.
  public func stop() { loop.stop() }

  /// Ends the automatic synchronisation that ``start()`` began, and returns after a running
  /// exchange with the server has ended.
  ///
  /// Afterwards, the automatic synchronisation no longer uses the database, which can be closed.
  /// The call also waits for calls of ``sync()``, so do not call this function from the
  /// ``SyncPeer``.
  public func stopAndWait() async {
    for task in loop.stop() { await task.value }
    await runner.waitUntilIdle()
  }

  /// Reports a reason to synchronise, after which the automatic
  /// synchronisation decides when to act.
  ///
  /// Before ``start()`` and after ``stop()``, this function has no effect.
  public func touch(_ trigger: SyncTrigger) { loop.touch(trigger) }

  /// Synchronises now, without waiting for the end of a back-off after an error.
  ///
  /// Operations that the server has not acknowledged are sent again.
  @discardableResult
  public func retry() async throws -> SyncOutcome { try await sync() }

  /// Ends synchronisation permanently, and removes its tables and triggers from the database,
  /// including those of other scopes.
  ///
  /// Changes are no longer captured, and unsent changes are never sent. The tables of the
  /// application remain. Later calls of ``sync()`` throw ``StorageError/Code/misuse``.
  ///
  /// Delete the rows before the same scope is synchronised with this database again. Otherwise the
  /// rows are sent as new ones, and counters are added up twice.
  public func disable() async throws {
    await stopAndWait()
    try await runner.disable()
    // Another task may have started the engine meanwhile.
    loop.stop()
  }

  // MARK: Observing

  /// The present status of the engine.
  public var currentStatus: SyncStatus { runner.board.status }

  /// Returns a stream that begins with the present status and then receives each change.
  ///
  /// For a slow reader, the stream buffers the latest 64 statuses, and drops older ones.
  public func status() -> AsyncStream<SyncStatus> { runner.board.stream() }

  /// Returns the conflicts that wait for the attention of the user, oldest first.
  public func conflicts() throws -> [OpenConflict] { try runner.replica.openConflicts() }

  // MARK: Changing rows

  /// Carries out a row operation, and returns the identifier of the operation to send, or `nil` if
  /// nothing changes.
  ///
  /// The effect is visible at once. An operation with a condition reads all rows of the table. The
  /// server evaluates the condition again and decides each row by the policies of the table. If
  /// this device has changed a row and the server does not apply the change, the server stores a
  /// conflict for the row.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for unknown tables, columns and rows, for the creation
  ///   of a row that exists, for counters in an operation with a condition, and if a condition is
  ///   too large or more than 100,000 rows meet it; ``StorageError/Code/notSupported`` if an
  ///   operation with a condition names an encrypted column;
  ///   ``StorageError/Code/constraintViolated`` if the table cannot contain the values. If this
  ///   function throws, nothing has changed.
  @discardableResult
  public func perform(_ operation: RowOperation) throws -> OperationIdentifier? {
    let identifier = try runner.replica.perform(operation)
    noteChange()
    return identifier
  }

  // MARK: Answering

  /// Answers a conflict, and returns the identifier of the operation that contains the answer.
  ///
  /// The answer is visible at once and is sent like any other change. The server closes the
  /// conflict when it receives the answer, for all devices of the account. If the row has changed
  /// meanwhile, the policies of the table decide about the answer, which can cause another
  /// conflict. If the row no longer exists, an answer with values inserts it again.
  ///
  /// - Parameters:
  ///   - conflict: the identifier of a conflict that ``conflicts()`` returns.
  ///   - answer: the values that the row gets.
  /// - Throws: ``StorageError/Code/misuse`` for an unknown conflict, one that has an answer, a
  ///   ``BlockedRow``, and unknown columns; ``StorageError/Code/constraintViolated`` if the table
  ///   cannot contain the values. If this function throws, nothing has changed.
  @discardableResult
  public func resolve(
    _ conflict: ConflictIdentifier, with answer: ConflictAnswer
  ) throws -> OperationIdentifier {
    let operation = try runner.replica.answer(conflict, with: answer)
    noteChange()
    return operation
  }

  /// Refreshes the status and schedules a synchronisation, after the engine has changed rows on
  /// behalf of the application.
  func noteChange() {
    // The status is only informative, so errors are ignored.
    try? runner.refreshStatus()
    loop.touch(.committed)
  }
}
