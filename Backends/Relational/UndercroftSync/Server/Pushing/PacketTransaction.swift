import UndercroftCore

/// A transaction of a scope that applies one packet.
struct PacketTransaction {
  let packet: SyncPacket
  let server: SyncServer
  /// The time of the server, in milliseconds since 1970.
  let now: Int64
  let transaction: any SyncServerTransaction

  /// The state of the scope, including the changes of this transaction.
  var scope: StoredScope
  /// The state of the replica, including the changes of this transaction.
  var replica: StoredReplica
  /// The results of the packet's operations.
  var results: [OperationResult] = []
  /// The rows that the packet has read or written; `nil` for a row that the server does not have.
  var records: [RowAddress: ServerRecord?] = [:]
  /// A cache of the accounts of replicas.
  var accounts: [ReplicaIdentifier: String] = [:]

  /// The state of the scope before the transaction.
  private let scopeBefore: StoredScope
  /// The state of the replica before the transaction, or `nil` if the replica was unknown.
  private let replicaBefore: StoredReplica?

  init(
    _ packet: SyncPacket, _ account: String, on server: SyncServer, at now: Int64,
    _ transaction: any SyncServerTransaction
  ) throws {
    self.packet = packet
    self.server = server
    self.now = now
    self.transaction = transaction
    scope = try server.existingScope(in: transaction)
    scopeBefore = scope
    replicaBefore = try transaction.replica(packet.replica)
    replica = replicaBefore ?? StoredReplica(replica: packet.replica, account: account)
    try server.require(replica, boundTo: account)
    accounts[packet.replica] = account
  }

  /// Applies the packet, and returns the results, or a refusal, or a gap if earlier operations are
  /// missing.
  ///
  /// - Throws: ``RefusedRequest`` for a refusal that must roll back the transaction.
  mutating func run() throws -> PacketOutcome {
    guard packet.epoch == scope.epoch else { return .refused(.epoch(scope.epoch)) }
    guard packet.schemaVersion >= server.schema.minimumPush else {
      return .refused(.upgradeRequired(minimumPush: server.schema.minimumPush))
    }
    let known = replica.operationChain
    // The replica has results of operations that the server no longer has.
    guard packet.resultsThrough <= known.count else { return .refused(.forked) }
    var chain = packet.chainBefore
    guard chain.count <= known.count else { return .gap(after: known) }
    try requireEqual(chain, known)
    try prefetch(knowing: known.count)

    for group in packet.groups {
      var arrived: [SyncOperation] = []
      for operation in group {
        if chain.count < known.count {
          try recall(operation)
        } else {
          arrived.append(operation)
        }
        chain.append(operation.operationIdentifier)
        try requireEqual(chain, known)
      }
      if isSwitchedOff(.splitGroups) {
        for operation in arrived { try process([operation]) }
      } else {
        try process(arrived)
      }
    }
    if chain.count > known.count { replica.operationChain = chain }
    return .applied(try finish())
  }

  /// Announces the operations and rows of the packet to the store, which can read them together.
  ///
  /// - Parameter count: the number of operations that the server knows, whose rows are not read.
  private func prefetch(knowing count: Int64) throws {
    var records: [(table: String, dataIdentifier: DataIdentifier)] = []
    var operations: [OperationIdentifier] = []
    for operation in packet.operations {
      operations.append(operation.operationIdentifier)
      guard operation.sequence > count else { continue }
      operations += operation.absorbed.map(\.operationIdentifier)
      if operation.selection == nil {
        records.append((operation.table, operation.dataIdentifier))
      }
    }
    try transaction.prefetch(records: records, operations: operations)
  }

  /// Returns whether a test has switched off a rule of the protocol.
  func isSwitchedOff(_ mutation: SyncMutation) -> Bool {
    server.environment.mutations.contains(mutation)
  }

  /// Throws ``RefusedRequest`` if two chains of the same length differ.
  private func requireEqual(_ chain: OperationChain, _ known: OperationChain) throws {
    if isSwitchedOff(.trustedSequence) { return }
    if isSwitchedOff(.identifierChain), chain.lastOperation == known.lastOperation { return }
    guard chain.count != known.count || chain == known else { throw RefusedRequest(.forked) }
  }

  /// Appends to ``results`` the stored result of an operation that this replica has sent before.
  ///
  /// - Throws: ``RefusedRequest`` if the ledger contains no such operation.
  private mutating func recall(_ operation: SyncOperation) throws {
    guard
      let stored = try transaction.operation(of: packet.replica, at: operation.sequence),
      stored.operationIdentifier == operation.operationIdentifier
        || isSwitchedOff(.trustedSequence)
    else { throw RefusedRequest(.forked) }
    results.append(try LedgerEntry(stored).result(of: stored))
  }

  /// Stores the states of the scope and the replica, and returns the answer to the packet.
  private mutating func finish() throws -> PushResults {
    replica.resultsThrough = max(replica.resultsThrough, packet.resultsThrough)
    replica.schemaVersion = packet.schemaVersion
    if scope != scopeBefore { try transaction.put(scope) }
    if replica != replicaBefore || replica.isSilent(at: now) {
      replica.lastSeen = now
      try transaction.put(replica)
    }
    return PushResults(
      epoch: scope.epoch, replica: packet.replica, lastSequence: replica.lastSequence,
      lastChain: replica.operationChain.hash, results: try cumulativeResults(), head: scope.head,
      serverTime: now)
  }

  /// Returns the results of all processed operations after ``SyncPacket/resultsThrough``.
  private func cumulativeResults() throws -> [OperationResult] {
    let through = packet.resultsThrough
    let own = results.filter { $0.sequence > through }.sorted { $0.sequence < $1.sequence }
    guard let first = packet.operations.first?.sequence,
      let last = packet.operations.last?.sequence
    else { return own }
    return try transaction.results(
      of: packet.replica, after: through, through: min(first &- 1, replica.lastSequence)) + own
      + transaction.results(
        of: packet.replica, after: max(last, through), through: replica.lastSequence)
  }
}

extension StoredReplica {
  /// Returns whether the recorded time of the last request is at least an hour old, or in the
  /// future.
  ///
  /// If a request changes no other state of the replica, the time is updated only if the result is
  /// `true`, so that most of these requests write nothing.
  func isSilent(at now: Int64) -> Bool {
    !(0..<3_600_000).contains(now.subtractingReportingOverflow(lastSeen).partialValue)
  }
}
