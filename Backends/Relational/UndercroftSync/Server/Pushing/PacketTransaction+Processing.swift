import UndercroftCore
import UndercroftFoundation

extension PacketTransaction {
  /// Processes the operations of a group that this replica has not sent before.
  mutating func process(_ group: [SyncOperation]) throws {
    var unknown: [SyncOperation] = []
    for operation in group {
      guard let stored = try transaction.operation(operation.operationIdentifier),
        !isSwitchedOff(.noDeduplication)
      else {
        unknown.append(try operation.subtractingAbsorbed { try place(ofIncrementsOf: $0) })
        continue
      }
      let entry = try LedgerEntry(stored)
      guard entry.address == operation.address else {
        throw RefusedRequest(.operationCollision(operation.operationIdentifier))
      }
      if entry.isAbsorbedByConflict {
        unknown.append(operation.withoutIncrements)
      } else {
        try adopt(operation, stored, entry)
      }
    }
    guard !unknown.isEmpty else { return }
    if let batch = unknown.first, let selection = batch.selection {
      return try process(batch, selection)
    }
    let decisions = try decide(unknown)
    for decision in decisions { try store(decision) }
    try storeConflicts(decisions)
    for decision in decisions {
      try retain(decision)
      try record(decision)
    }
  }

  /// Records that the tombstone of a row must never be removed, if the decision concerns an
  /// operation whose replica had received nothing from a server when the operation began.
  ///
  /// A copy of the replica's file can send the operation again at any time. Without the tombstone,
  /// an insertion would then restore a deleted row. This also applies if the decision has not
  /// changed the row.
  private mutating func retain(_ decision: OperationDecision) throws {
    let address = decision.operation.address
    guard decision.operation.knowledge.precedesContact,
      var record = try self.record(at: address), !record.isRetained
    else { return }
    record.isRetained = true
    records[address] = .some(record)
    try transaction.put(record.stored(at: address))
  }

  /// Appends to ``results`` the stored result of an operation that the server has already
  /// processed.
  ///
  /// A replica sends its operations again after it gets a new identifier. The ledger can also
  /// contain an operation because another operation has absorbed it.
  private mutating func adopt(
    _ operation: SyncOperation, _ stored: StoredOperation, _ entry: LedgerEntry
  ) throws {
    var adopted = stored
    (adopted.replica, adopted.sequence) = (packet.replica, operation.sequence)
    try transaction.put(adopted)
    results.append(entry.result(of: adopted))
  }

  /// Returns where the increments of an operation are, or `nil` if the server has not processed it.
  private func place(
    ofIncrementsOf operation: OperationIdentifier
  ) throws -> ProcessedIncrements? {
    guard !isSwitchedOff(.noAbsorption), let stored = try transaction.operation(operation) else {
      return nil
    }
    return try LedgerEntry(stored).isApplied ? .inRow : .inConflict
  }

  /// Stores the row that an operation has changed.
  mutating func store(_ decision: OperationDecision) throws {
    guard let record = decision.resolution.record, let stored = decision.stored else { return }
    let address = decision.operation.address
    if let old = try self.record(at: address), !old.isDeleted {
      scope.digest.remove(
        table: stored.table, row: stored.dataIdentifier, version: old.version)
    }
    if !record.isDeleted {
      scope.digest.add(table: stored.table, row: stored.dataIdentifier, version: record.version)
    }
    records[address] = .some(record)
    scope.head = max(scope.head, record.version)
    scope.hybridTimestamp = max(scope.hybridTimestamp, record.hybridTimestamp)
    try transaction.put(stored)
  }

  /// Stores each conflict for every account whose changes were lost, and closes answered conflicts.
  ///
  /// A conflict gets the version of the row. If the operation does not change the row, the conflict
  /// gets a new version of the scope: a replica that has already pulled the newest version of the
  /// scope would otherwise never receive the conflict.
  mutating func storeConflicts(_ decisions: [OperationDecision]) throws {
    if isSwitchedOff(.noConflictLog) { return }
    for decision in decisions {
      var answered = try answeredConflict(decision.operation)
      guard !decision.conflicts.isEmpty || answered != nil else { continue }
      let isUnchanged = decision.resolution.version == 0
      if isUnchanged { scope.head &+= 1 }
      let version = isUnchanged ? scope.head : decision.resolution.version
      for (conflict, body) in decision.conflicts {
        for account in try losingAccounts(of: conflict) {
          try transaction.put(
            StoredConflict(
              conflictIdentifier: conflict.conflictIdentifier, account: account.text,
              version: version, body: try storedForm(body, of: conflict, for: account.text)))
        }
      }
      answered?.version = version
      if let answered { try transaction.put(answered) }
    }
  }

  /// Returns the stored form of a conflict, with the answer that the account has already given.
  ///
  /// A copy of a file can send an operation again after its result was removed from the ledger. The
  /// server then decides about the operation again, and the conflict has the same identifier.
  private func storedForm(
    _ body: Data, of conflict: SyncConflict, for account: String
  ) throws -> Data {
    guard let stored = try transaction.conflict(conflict.conflictIdentifier, of: account),
      let operation = try SyncConflict(stored).resolvedBy
    else { return body }
    var conflict = conflict
    conflict.resolvedBy = operation
    return StoredBody.data(conflict.json)
  }

  /// Returns the conflict that an operation answers, with the operation stored in
  /// ``SyncConflict/resolvedBy``, or `nil` if there is no such conflict.
  ///
  /// The result is `nil` if the account has no such conflict of the row, or if another operation
  /// has answered the conflict.
  ///
  /// The answer closes the conflict even if the operation is not applied, because the server then
  /// stores another conflict with the values of the answer.
  private func answeredConflict(_ operation: SyncOperation) throws -> StoredConflict? {
    guard let identifier = operation.resolves,
      var stored = try transaction.conflict(identifier, of: replica.account)
    else { return nil }
    var conflict = try SyncConflict(stored)
    guard conflict.resolvedBy == nil, conflict.address == operation.address else { return nil }
    conflict.resolvedBy = operation.operationIdentifier
    stored.body = StoredBody.data(conflict.json)
    return stored
  }

  /// Returns the accounts whose changes were lost, or the account of the operation if none of them
  /// is known.
  private mutating func losingAccounts(of conflict: SyncConflict) throws -> Set<ExactString> {
    var found: Set<ExactString> = []
    for replica in conflict.losingReplicas {
      let account = try accounts[replica] ?? transaction.replica(replica)?.account
      accounts[replica] = account
      if let account { found.insert(account.exact) }
    }
    return found.isEmpty ? [self.replica.account.exact] : found
  }

  /// Adds an operation, and the operations that it has absorbed, to the ledger.
  private mutating func record(_ decision: OperationDecision) throws {
    let operation = decision.operation
    let entry = decision.entry
    let stored = StoredOperation(
      operationIdentifier: operation.operationIdentifier, replica: packet.replica,
      sequence: operation.sequence, processedAt: scope.head, receivedAt: now, body: entry.body)
    try transaction.put(stored)
    results.append(entry.result(of: stored))
    guard operation.change.kind != .delete, !operation.absorbed.isEmpty,
      entry.status == .applied || decision.retainsIncrements
    else { return }
    let body = LedgerEntry(
      address: entry.address, status: .absorbed, version: entry.version,
      conflicts: entry.status == .applied ? [] : entry.conflicts
    ).body
    for absorbed in operation.absorbed
    where try transaction.operation(absorbed.operationIdentifier) == nil {
      try transaction.put(
        StoredOperation(
          operationIdentifier: absorbed.operationIdentifier, replica: nil, sequence: nil,
          processedAt: scope.head, receivedAt: now, body: body))
    }
  }
}

extension SyncOperation {
  var address: RowAddress { RowAddress(table: table, dataIdentifier: dataIdentifier) }
}

extension SyncConflict {
  var address: RowAddress { RowAddress(table: table, dataIdentifier: dataIdentifier) }

  /// Creates the conflict from its stored form.
  init(_ stored: StoredConflict) throws(StorageError) {
    self = try StoredBody.read(
      stored.body, of: "stored conflict \(quoted(stored.conflictIdentifier.text))"
    ) { json throws(WireError) in try SyncConflict(json: json) }
  }

  /// The replicas whose changes were lost.
  var losingReplicas: Set<ReplicaIdentifier> {
    switch kind {
    case .rowValuesLost, .deletionWon: Set(values.values.map(\.author.replica))
    case .rowRestored: rowAuthor.map { [$0.replica] } ?? []
    default: [operationAuthor.replica]
    }
  }
}
