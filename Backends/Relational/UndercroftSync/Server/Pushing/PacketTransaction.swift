import UndercroftCore

/// The application of one packet in one transaction of its scope.
struct PacketTransaction {
  let packet: SyncPacket
  let server: SyncServer
  /// The time of the server, in milliseconds since 1970.
  let now: Int64
  let transaction: any SyncServerTransaction

  /// The scope and the replica as the transaction changes them.
  var scope: StoredScope
  var replica: StoredReplica
  /// The results of the packet's operations.
  var results: [OperationResult] = []
  /// The rows that the packet has read or written.
  var records: [RowAddress: ServerRecord?] = [:]
  /// The accounts of replicas.
  var accounts: [ReplicaIdentifier: String] = [:]

  /// The scope and the replica before the transaction.
  private let scopeBefore: StoredScope
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

  /// Applies the packet.
  ///
  /// - Throws: ``RefusedRequest`` if operations before the refusal must be rolled back.
  mutating func run() throws -> PacketOutcome {
    guard packet.epoch == scope.epoch else { return .refused(.epoch(scope.epoch)) }
    guard packet.schemaVersion >= server.schema.minimumPush else {
      return .refused(.upgradeRequired(minimumPush: server.schema.minimumPush))
    }
    let known = replica.operationChain
    // The replica has results that the server has forgotten.
    guard packet.resultsThrough <= known.count else { return .refused(.forked) }
    var chain = packet.chainBefore
    guard chain.count <= known.count else { return .gap(after: known) }
    try requireEqual(chain, known)

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
      try process(arrived)
    }
    if chain.count > known.count { replica.operationChain = chain }
    return .applied(try finish())
  }

  /// Whether a test has switched off a rule.
  func isSwitchedOff(_ mutation: SyncMutation) -> Bool {
    server.environment.mutations.contains(mutation)
  }

  /// Checks that two chains of the same length are equal.
  private func requireEqual(_ chain: OperationChain, _ known: OperationChain) throws {
    if isSwitchedOff(.trustedSequence) { return }
    if isSwitchedOff(.identifierChain), chain.lastOperation == known.lastOperation { return }
    guard chain.count != known.count || chain == known else { throw RefusedRequest(.forked) }
  }

  /// Repeats the result of an operation that was processed before.
  private mutating func recall(_ operation: SyncOperation) throws {
    guard
      let stored = try transaction.operation(of: packet.replica, at: operation.sequence),
      stored.operationIdentifier == operation.operationIdentifier
        || isSwitchedOff(.trustedSequence)
    else { throw RefusedRequest(.forked) }
    results.append(try LedgerEntry(stored).result(of: stored))
  }

  /// Stores the scope and the replica, and returns the answer.
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

  /// Returns the results of all operations of which the replica does not have the results.
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
  /// Returns whether the time of the last request must be recorded again.
  ///
  /// It is exact to an hour only, so that a request without news writes nothing.
  func isSilent(at now: Int64) -> Bool {
    !(0..<3_600_000).contains(now.subtractingReportingOverflow(lastSeen).partialValue)
  }
}
