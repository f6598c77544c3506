import UndercroftCore
public import UndercroftSQLite

/// The synchronisation of tables of one database with a server.
///
/// Applications write to their tables as before, with any API and in any process. The engine sends
/// the changes, and applies the changes of others. Nothing is sent before it is committed locally,
/// and nothing is lost while the server cannot be reached.
///
/// ```swift
/// let engine = try SyncEngine(
///   database, scope: "user:7", account: "7", tables: [SyncedTable("book")], peer: peer)
/// try engine.start()
/// ```
public final class SyncEngine: Sendable {
  private let runner: SyncRunner
  private let loop: SyncLoop

  /// Creates an engine, and switches synchronisation on for the tables.
  ///
  /// If the tables contain rows and were not synchronised before, this call enqueues all of them,
  /// which takes several seconds for millions of rows.
  ///
  /// - Parameters:
  ///   - database: the database, which can have an engine for each of several scopes.
  ///   - scope: the part of the server's data with which the tables are synchronised.
  ///   - account: the account to which the database belongs.
  ///   - tables: the tables of the scope.
  ///   - direction: whether changes of others are received.
  ///   - peer: the server, such as ``SyncServer/peer(account:)``.
  ///   - schemaVersion: the version of the schema of the application, which a server can refuse.
  ///   - options: the times after which the engine acts by itself.
  /// - Throws: ``StorageError/Code/notSupported`` for a table whose changes cannot be captured;
  ///   ``StorageError/Code/misuse`` for unknown columns, and if the scope belongs to another
  ///   account or a table to another scope.
  public convenience init(
    _ database: Database, scope: ScopeIdentifier, account: String, tables: [SyncedTable],
    direction: SyncDirection = .twoWay, peer: some SyncPeer, schemaVersion: Int64 = 1,
    options: SyncOptions = SyncOptions()
  ) throws {
    try self.init(
      database, scope: scope, account: account, tables: tables, direction: direction, peer: peer,
      schemaVersion: schemaVersion, options: options, environment: .system)
  }

  /// Creates an engine with another clock.
  package init(
    _ database: Database, scope: ScopeIdentifier, account: String, tables: [SyncedTable],
    direction: SyncDirection = .twoWay, peer: any SyncPeer, schemaVersion: Int64 = 1,
    options: SyncOptions = SyncOptions(), environment: SyncEnvironment
  ) throws {
    try SyncSchema.add(
      tables, toScope: scope, account: account, direction: direction, in: database,
      environment: environment)
    let replica = Replica(
      database: database, scope: scope, environment: environment, schemaVersion: schemaVersion)
    // What a newer application has sent can be shown since this version knows its columns.
    try replica.adoptExtras()
    runner = SyncRunner(
      replica, account: account, isOneWay: direction == .oneWay, peer: peer)
    loop = SyncLoop(runner, options, tables: tables.map(\.name))
    try runner.refreshStatus()
  }

  deinit { loop.stop() }

  // MARK: Synchronising

  /// Synchronises now, and returns after nothing is left to do.
  ///
  /// Calls of one engine wait for each other. If another process synchronises the same file,
  /// returns immediately.
  ///
  /// - Throws: a `StorageError` with a suggestion, after which everything that was not exchanged
  ///   remains in the queue; `CancellationError` if the task is cancelled.
  @discardableResult
  public func sync() async throws -> SyncOutcome { try await runner.run() }

  /// Begins to synchronise after local commits, pokes of the server, triggers, and times.
  ///
  /// - Throws: an error of the system if the database cannot be observed.
  public func start() throws { try loop.start() }

  /// Ends what ``start()`` has begun.
  public func stop() { loop.stop() }

  /// Reports a trigger to the loop that ``start()`` has begun.
  public func touch(_ trigger: SyncTrigger) { loop.touch(trigger) }

  /// Sends again what the server has not acknowledged, without waiting for the end of a back-off.
  @discardableResult
  public func retry() async throws -> SyncOutcome { try await sync() }

  /// Ends synchronisation, and removes everything of it from the database, also what belongs to
  /// other scopes.
  ///
  /// Changes that were not sent are no longer recorded. The tables of the application remain.
  public func disable() async throws {
    for task in loop.stop() { await task.value }
    try await runner.disable()
  }

  // MARK: Observing

  /// The present status.
  public var currentStatus: SyncStatus { runner.board.status }

  /// Returns the present status and all later ones.
  public func status() -> AsyncStream<SyncStatus> { runner.board.stream() }

  /// Returns the conflicts that wait for the attention of the user, oldest first.
  public func conflicts() throws -> [OpenConflict] { try runner.replica.openConflicts() }
}
