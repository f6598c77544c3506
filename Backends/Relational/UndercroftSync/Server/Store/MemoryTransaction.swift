import UndercroftCore

/// A transaction on the contents of one scope in memory.
final class MemoryTransaction: SyncServerTransaction {
  private(set) var contents: MemoryScope

  init(_ contents: MemoryScope) { self.contents = contents }

  func scope() -> StoredScope? { contents.scope }

  func replica(_ replica: ReplicaIdentifier) -> StoredReplica? { contents.replicas[replica] }

  func replicas() -> [StoredReplica] { Array(contents.replicas.values) }

  func record(_ dataIdentifier: DataIdentifier, in table: String) -> StoredRecord? {
    contents.records[RowAddress(table: table, dataIdentifier: dataIdentifier)]
  }

  func records(after version: Int64, limit: StoreLimit) -> [StoredRecord] {
    let rows = contents.feed[contents.feedIndex(after: version)...].lazy
      .compactMap { self.contents.records[$0.address] }
    return limit.prefix(of: rows) { $0.body.count }
  }

  func records(
    in table: String, after identifier: DataIdentifier?, limit: StoreLimit
  ) -> [StoredRecord] {
    let table = table.exact
    let found = contents.records.values.filter { record in
      record.table.exact == table && identifier.map { $0 < record.dataIdentifier } ?? true
    }
    let sorted = found.sorted { $0.dataIdentifier < $1.dataIdentifier }
    return limit.prefix(of: sorted) { $0.body.count }
  }

  func operation(_ operation: OperationIdentifier) -> StoredOperation? {
    contents.operations[operation]
  }

  func operation(of replica: ReplicaIdentifier, at sequence: Int64) -> StoredOperation? {
    contents.chains[replica]?[sequence].flatMap { contents.operations[$0] }
  }

  func operations(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
  ) -> [StoredOperation] {
    let chain = contents.chains[replica, default: [:]]
    let found = chain.keys.filter { $0 > first && $0 <= last }.sorted().lazy
      .compactMap { chain[$0].flatMap { self.contents.operations[$0] } }
    return limit.prefix(of: found) { $0.body.count }
  }

  func conflict(_ conflict: ConflictIdentifier, of account: String) -> StoredConflict? {
    contents.conflicts[account.exact]?.first { $0.conflictIdentifier == conflict }
  }

  func conflicts(
    of account: String, after first: Int64, through last: Int64, limit: StoreLimit
  ) -> [StoredConflict] {
    let found = contents.conflicts[account.exact, default: []]
      .filter { $0.version > first && $0.version <= last }
    let end = limit.prefix(of: found) { $0.body.count }.last?.version ?? last
    return found.filter { $0.version <= end }
  }

  func version(receivedBy time: Int64) -> Int64 {
    contents.operations.values.filter { $0.receivedAt <= time }.map(\.processedAt).max() ?? 0
  }

  // MARK: Writing

  func put(_ scope: StoredScope) { contents.scope = scope }

  func put(_ replica: StoredReplica) { contents.replicas[replica.replica] = replica }

  func put(_ record: StoredRecord) {
    let address = RowAddress(table: record.table, dataIdentifier: record.dataIdentifier)
    removeFromFeed(contents.records.updateValue(record, forKey: address)?.version)
    contents.feed.insert(
      (record.version, address), at: contents.feedIndex(after: record.version))
  }

  private func removeFromFeed(_ version: Int64?) {
    guard let version else { return }
    let index = contents.feedIndex(after: version) - 1
    if index >= 0 { contents.feed.remove(at: index) }
  }

  func put(_ operation: StoredOperation) {
    let identifier = operation.operationIdentifier
    if let old = contents.operations.updateValue(operation, forKey: identifier) {
      removeFromChain(old)
    }
    guard let replica = operation.replica, let sequence = operation.sequence else { return }
    contents.chains[replica, default: [:]][sequence] = identifier
  }

  private func removeFromChain(_ operation: StoredOperation) {
    guard let replica = operation.replica, let sequence = operation.sequence else { return }
    contents.chains[replica]?[sequence] = nil
  }

  func put(_ conflict: StoredConflict) {
    let account = conflict.account.exact
    var conflicts = contents.conflicts[account, default: []]
    conflicts.removeAll { $0.conflictIdentifier == conflict.conflictIdentifier }
    let index = conflicts.firstIndex { conflict.precedes($0) } ?? conflicts.endIndex
    conflicts.insert(conflict, at: index)
    contents.conflicts[account] = conflicts
  }

  func removeReplica(_ replica: ReplicaIdentifier) {
    contents.replicas[replica] = nil
    for operation in contents.chains.removeValue(forKey: replica)?.values.map(\.self) ?? [] {
      contents.operations[operation]?.replica = nil
      contents.operations[operation]?.sequence = nil
    }
  }

  func removeTombstones(through version: Int64) -> Int {
    let removed = contents.records.filter { _, record in
      record.isDeleted && !record.isRetained && record.version <= version
    }
    for (address, record) in removed {
      contents.records[address] = nil
      removeFromFeed(record.version)
    }
    return removed.count
  }

  func removeOperations(through version: Int64) -> Int {
    let removed = contents.operations.values.filter { $0.processedAt <= version }
    for operation in removed {
      contents.operations[operation.operationIdentifier] = nil
      removeFromChain(operation)
    }
    return removed.count
  }

  func removeConflicts(through version: Int64) -> Int {
    var count = 0
    for (account, conflicts) in contents.conflicts {
      let remaining = conflicts.filter { $0.version > version }
      count += conflicts.count - remaining.count
      contents.conflicts[account] = remaining
    }
    return count
  }
}

extension StoreLimit {
  /// Returns the first elements, up to and including the element that reaches this limit.
  fileprivate func prefix<Element>(
    of elements: some Sequence<Element>, bytes size: (Element) -> Int
  ) -> [Element] {
    var prefix: [Element] = []
    var bytes = 0
    for element in elements {
      if isReached(count: prefix.count, bytes: bytes) { break }
      prefix.append(element)
      bytes += size(element)
    }
    return prefix
  }
}

extension StoredConflict {
  /// Returns whether this conflict precedes another in the order of versions and identifiers.
  fileprivate func precedes(_ other: StoredConflict) -> Bool {
    (version, conflictIdentifier) < (other.version, other.conflictIdentifier)
  }
}
