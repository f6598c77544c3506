import UndercroftCore
package import UndercroftSQLite

/// One scope in one database file: the queue of local operations, and the pulled rows.
///
/// Every function is one transaction. A crash between two calls loses nothing, and every call can
/// be repeated. The functions do not wait for a network.
package struct Replica: Sendable {
  package let database: Database
  package let scope: ScopeIdentifier
  package let limits: SyncLimits
  /// The version of the schema of the application.
  package let schemaVersion: Int64
  let environment: SyncEnvironment
  /// The encryption of the values that are sent, or `nil` if values are sent unencrypted.
  let cipher: (any SyncValueCipher)?

  /// Creates a replica for a scope that the database synchronises.
  package init(
    database: Database, scope: ScopeIdentifier, environment: SyncEnvironment,
    limits: SyncLimits = SyncLimits(), schemaVersion: Int64 = 1,
    cipher: (any SyncValueCipher)? = nil
  ) {
    self.database = database
    self.scope = scope
    self.environment = environment
    self.cipher = cipher
    self.limits = limits
    self.schemaVersion = schemaVersion
  }

  /// Returns a copy of this replica that uses the limits of a server.
  func limited(to limits: SyncLimits) -> Replica {
    Replica(
      database: database, scope: scope, environment: environment, limits: limits,
      schemaVersion: schemaVersion, cipher: cipher)
  }

  /// Returns the identity and the progress of the replica.
  package func state() throws -> ReplicaState {
    try database.read { db in try ReplicaState.load(scope, in: db).state }
  }

  // MARK: Sending

  /// Assigns sequence numbers to the oldest captured changes, and returns the number of these
  /// changes.
  ///
  /// An operation with a sequence number never changes. If an answer is lost, the replica sends the
  /// same operations again, and the server recognises the operations that it has applied.
  /// Operations that no message can contain become conflicts.
  ///
  /// - Parameter limit: the number of operations to seal, which an atomic group at the end can
  ///   exceed.
  package func seal(limit: Int) throws -> Int {
    try write { try $0.seal(limit: limit) }
  }

  /// Returns packets with the oldest operations whose results have not arrived.
  ///
  /// - Parameters:
  ///   - operations: the largest number of operations in a packet.
  ///   - bytes: the maximum number of bytes of a packet with more than one operation.
  package func packets(operations: Int, bytes: Int) throws -> [SyncPacket] {
    try database.read { db in
      try transaction(in: db, isStrict: false).packets(operations: operations, bytes: bytes)
    }
  }

  /// Accepts the answer of the server to a packet, which may be delayed or repeated.
  ///
  /// - Parameters:
  ///   - packet: the packet, or `nil` if it is unknown. The answer to a packet that was sent under
  ///     an earlier replica identifier is ignored.
  ///   - sentAt: the time at which the packet was sent, in milliseconds since 1970, or `nil` if it
  ///     is unknown.
  package func accept(
    _ answer: PushAnswer, for packet: SyncPacket? = nil, sentAt: Int64? = nil
  ) throws {
    try write { transaction in
      if let packet, packet.replica != transaction.state.replica { return }
      switch answer {
      case .results(let results): try transaction.accept(results, sentAt: sentAt)
      case .held: return
      case .refused(let refusal): try transaction.accept(refusal)
      }
    }
  }

  /// Removes from the queue an operation that the server or a gateway can never accept, and stores
  /// its values as a conflict.
  ///
  /// If the operation belongs to an atomic group, all operations of the group are removed and
  /// stored as conflicts.
  package func park(_ operation: OperationIdentifier, message: String) throws {
    try write { try $0.park(operation, message: message) }
  }

  // MARK: Pulling

  /// Returns the request for the next page.
  ///
  /// - Parameter limit: the largest number of rows.
  package func pullRequest(limit: Int) throws -> PullRequest {
    try database.read { db in
      try transaction(in: db, isStrict: false).pullRequest(limit: limit)
    }
  }

  /// Stores a page, which ``execute(limit:)`` applies, or accepts a refusal.
  ///
  /// - Parameters:
  ///   - request: the request, or `nil` if it is unknown. The answer to a request with an earlier
  ///     replica identifier or generation is ignored.
  ///   - sentAt: the time at which the request was sent, in milliseconds since 1970, or `nil` if it
  ///     is unknown.
  package func accept(
    _ answer: PullAnswer, for request: PullRequest? = nil, sentAt: Int64? = nil
  ) throws {
    try write { transaction in
      let state = transaction.state
      if let request,
        request.replica != state.replica || request.generation != state.generation
      {
        return
      }
      switch answer {
      case .page(let page): try transaction.accept(page, sentAt: sentAt)
      case .refused(let refusal): try transaction.accept(refusal)
      }
    }
  }

  /// Applies stored pages, and returns the number of entries that were applied.
  ///
  /// A row that violates a constraint of this database is stored as
  /// blocked, and the others are applied.
  ///
  /// - Parameter limit: the number of rows and ends of pages that one transaction applies.
  package func execute(limit: Int) throws -> Int {
    try write { try $0.execute(limit: limit) }
  }

  /// Applies stored values whose columns were created after the values were pulled, and stored rows
  /// whose tables were created after the rows were pulled.
  ///
  /// Call this function after the schema has changed and ``SyncSchema/refresh(in:expressions:)``
  /// has adapted the triggers, before the application writes.
  package func adoptExtras() throws {
    try write { try $0.adoptExtras() }
  }

  // MARK: Transactions

  /// Runs `body` in a transaction.
  ///
  /// If the transaction violates a foreign key, the transaction is repeated with a check after each
  /// row, to find the row that causes the violation. If a trigger of the application ends the
  /// transaction, the transaction is repeated without the row whose write ran the trigger.
  private func write<Result>(_ body: (ReplicaTransaction) throws -> Result) throws -> Result {
    var isStrict = false
    var refused: [RowName: RowRefusal] = [:]
    while true {
      do {
        return try write(isStrict: isStrict, refused, body)
      } catch is UnresolvedForeignKey {
        isStrict = true
      } catch let ended as EndedTransaction where refused[ended.row] == nil {
        refused[ended.row] = ended.refusal
      }
    }
  }

  private func write<Result>(
    isStrict: Bool, _ refused: [RowName: RowRefusal],
    _ body: (ReplicaTransaction) throws -> Result
  ) throws -> Result {
    try database.write(lock: .immediate, from: .sync) { db in
      try db.execute("PRAGMA defer_foreign_keys = ON")
      let transaction = try transaction(in: db, isStrict: isStrict)
      transaction.refused = refused
      let before = transaction.state
      let result = try body(transaction)
      if transaction.state != before { try transaction.store() }
      if db.hasUnresolvedForeignKeys, !isStrict { throw UnresolvedForeignKey() }
      return result
    }
  }

  private func transaction(in db: Connection, isStrict: Bool) throws -> ReplicaTransaction {
    try ReplicaTransaction(
      scope, in: db, environment: environment, limits: limits, schemaVersion: schemaVersion,
      cipher: cipher, isStrict: isStrict)
  }
}

/// The error of a transaction that a trigger of the application has ended with `RAISE(ROLLBACK)`.
struct EndedTransaction: Error {
  /// The row whose write ran the trigger.
  let row: RowName
  let refusal: RowRefusal
}

/// The error of a transaction that violates a foreign key at its end.
private struct UnresolvedForeignKey: Error {}
