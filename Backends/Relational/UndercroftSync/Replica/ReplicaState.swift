import UndercroftCore
import UndercroftSQLite

/// The identity and the progress of a replica, as `sync_scope` stores them.
package struct ReplicaState: Hashable, Sendable {
  package var scope: ScopeIdentifier
  package var account: String
  /// Whether the replica only sends, and never pulls.
  package var isOneWay = false
  /// The identifier of the server's history that the replica has pulled, or `nil` before the first
  /// pull.
  package var epoch: Epoch?
  package var replica: ReplicaIdentifier
  /// The chain of the operations that the replica has sealed under its present identity.
  package var chain = OperationChain()
  /// The sequence number of the last operation up to which all results have arrived.
  package var resultsThrough: Int64 = 0
  /// The version of the scope up to which pulled pages are stored in this database.
  package var downloadCursor: Int64 = 0
  /// The version of the scope up to which the rows of stored pages have been applied.
  package var appliedCursor: Int64 = 0
  /// The version of the scope at the end of the last pull whose pages have all been applied.
  ///
  /// At this version, the replica was equal to the server, apart from its own operations and from
  /// rows that violate a constraint of this database.
  package var consistentCursor: Int64 = 0
  package var mode = PullMode.incremental
  /// The value of ``SyncPage/floor`` in the first page of the snapshot, or `nil` if no such page
  /// has arrived.
  package var snapshotFloor: Int64?
  /// The number of times that the replica has begun to pull a snapshot.
  ///
  /// The replica ignores answers to requests of an earlier generation.
  package var generation: Int64 = 0
  /// The greatest version that the server has reported in this history.
  package var head: Int64 = 0
  /// The milliseconds by which the clock of the server is ahead of the clock of this device.
  package var serverOffset: Int64 = 0

  package init(scope: ScopeIdentifier, account: String, replica: ReplicaIdentifier) {
    self.scope = scope
    self.account = account
    self.replica = replica
  }
}

extension ReplicaState {
  /// Returns the state of a scope and its `scope_id` in this database.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the database does not synchronise the scope;
  ///   ``StorageError/Code/notSupported`` if a newer version of this library wrote the state.
  static func load(
    _ scope: ScopeIdentifier, in db: Connection
  ) throws -> (number: Int64, state: ReplicaState) {
    try SyncSchema.verify(in: db)
    let found = try db.fetchOne(
      """
      SELECT scope_id, account, direction, epoch, replica, sequence, last_operation, chain,
        results_through, download_cursor, applied_cursor, consistent_cursor, mode, snapshot_floor,
        generation, server_offset_ms, head
      FROM sync_scope WHERE name = \(scope.text)
      """
    ) { row in
      var state = ReplicaState(
        scope: scope, account: try row[1], replica: ReplicaIdentifier(try row[4]))
      let direction: String = try row[2]
      state.isOneWay = direction == "oneWay"
      state.epoch = (try row[3] as String?).map { Epoch($0) }
      state.chain = OperationChain(
        count: try row[5], lastOperation: (try row[6] as String?).map { OperationIdentifier($0) },
        hash: (try row[7] as String?).flatMap { SHA256Digest(digits: $0) })
      state.resultsThrough = try row[8]
      state.downloadCursor = try row[9]
      state.appliedCursor = try row[10]
      state.consistentCursor = try row[11]
      state.mode = try row[12]
      state.snapshotFloor = try row[13]
      state.generation = try row[14]
      state.serverOffset = try row[15]
      state.head = try row[16]
      return (try row[0] as Int64, state)
    }
    guard let found else {
      throw StorageError(
        .misuse,
        """
        cannot read the synchronisation state of the scope \(quoted(scope.text)): the table \
        "sync_scope" of the database has no row for the scope
        """,
        suggestion: "create a SyncEngine for the scope, which adds the row", backend: "sync")
    }
    return found
  }

  /// Updates the row of `sync_scope` whose `scope_id` is `number`, except its account and
  /// direction.
  func store(number: Int64, in db: Connection) throws {
    try db.execute(
      """
      UPDATE sync_scope SET epoch = \(epoch?.text), replica = \(replica.text),
        sequence = \(chain.count), last_operation = \(chain.lastOperation?.text),
        chain = \(chain.hash?.digits), results_through = \(resultsThrough),
        download_cursor = \(downloadCursor), applied_cursor = \(appliedCursor),
        consistent_cursor = \(consistentCursor), mode = \(mode),
        snapshot_floor = \(snapshotFloor), generation = \(generation),
        server_offset_ms = \(serverOffset), head = \(head)
      WHERE scope_id = \(number)
      """)
  }
}

extension PullMode: SQLBindable, SQLReadable {}
extension OperationState: SQLBindable, SQLReadable {}
