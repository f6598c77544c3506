import UndercroftSync

/// A reader that calls a closure before each access.
///
/// The closure can throw an error to simulate a crash.
struct FusedReader: SyncServerReader {
  private let inner: any SyncServerReader
  private let access: () throws -> Void

  init(_ inner: any SyncServerReader, access: @escaping () throws -> Void) {
    self.inner = inner
    self.access = access
  }

  private func accessed() throws -> any SyncServerReader {
    try access()
    return inner
  }

  func scope() throws -> StoredScope? { try accessed().scope() }

  func replica(_ replica: ReplicaIdentifier) throws -> StoredReplica? {
    try accessed().replica(replica)
  }

  func replicas() throws -> [StoredReplica] { try accessed().replicas() }

  func record(_ dataIdentifier: DataIdentifier, in table: String) throws -> StoredRecord? {
    try accessed().record(dataIdentifier, in: table)
  }

  func records(after version: Int64, limit: StoreLimit) throws -> [StoredRecord] {
    try accessed().records(after: version, limit: limit)
  }

  func records(
    in table: String, after identifier: DataIdentifier?, limit: StoreLimit
  ) throws -> [StoredRecord] {
    try accessed().records(in: table, after: identifier, limit: limit)
  }

  func operation(_ operation: OperationIdentifier) throws -> StoredOperation? {
    try accessed().operation(operation)
  }

  func operation(of replica: ReplicaIdentifier, at sequence: Int64) throws -> StoredOperation? {
    try accessed().operation(of: replica, at: sequence)
  }

  func operations(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredOperation] {
    try accessed().operations(of: replica, after: first, through: last, limit: limit)
  }

  func conflict(_ conflict: ConflictIdentifier, of account: String) throws -> StoredConflict? {
    try accessed().conflict(conflict, of: account)
  }

  func conflicts(
    of account: String, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredConflict] {
    try accessed().conflicts(of: account, after: first, through: last, limit: limit)
  }

  func version(receivedBy time: Int64) throws -> Int64 { try accessed().version(receivedBy: time) }
}

/// A transaction that records its changes, and calls a closure before each access.
///
/// The closure can throw an error to simulate a crash.
final class FusedTransaction: SyncServerTransaction {
  private let inner: any SyncServerTransaction
  private let access: () throws -> Void
  private(set) var changes: [StoreChange] = []
  /// The operations that the transaction has stored with a new result about their values.
  private(set) var effects: [OperationIdentifier] = []

  init(_ inner: any SyncServerTransaction, access: @escaping () throws -> Void) {
    self.inner = inner
    self.access = access
  }

  private func change(_ change: StoreChange) throws {
    try access()
    changes.append(change)
    try change.repeated(in: inner)
  }

  // MARK: Writing

  func put(_ scope: StoredScope) throws { try change(.scope(scope)) }

  func put(_ replica: StoredReplica) throws { try change(.replica(replica)) }

  func put(_ record: StoredRecord) throws { try change(.record(record)) }

  func put(_ operation: StoredOperation) throws {
    let known = try inner.operation(operation.operationIdentifier)
    // A result that is repeated for another replica has the same body, and was received before.
    if known?.body != operation.body || known?.processedAt != operation.processedAt,
      try !operation.isAbsorbedByConflict()
    {
      effects.append(operation.operationIdentifier)
    }
    try change(.operation(operation))
  }

  func put(_ conflict: StoredConflict) throws { try change(.conflict(conflict)) }

  func removeReplica(_ replica: ReplicaIdentifier) throws { try change(.removedReplica(replica)) }

  func removeTombstones(through version: Int64) throws -> Int {
    try access()
    changes.append(.removedTombstones(through: version))
    return try inner.removeTombstones(through: version)
  }

  func removeOperations(through version: Int64) throws -> Int {
    try access()
    changes.append(.removedOperations(through: version))
    return try inner.removeOperations(through: version)
  }

  func removeConflicts(through version: Int64) throws -> Int {
    try access()
    changes.append(.removedConflicts(through: version))
    return try inner.removeConflicts(through: version)
  }

  // MARK: Reading

  /// Passes the announcement on without a crash, which would be the same as at the next read.
  func prefetch(
    records: [(table: String, dataIdentifier: DataIdentifier)], operations: [OperationIdentifier]
  ) throws {
    try inner.prefetch(records: records, operations: operations)
  }

  private var reader: FusedReader { FusedReader(inner, access: access) }

  func scope() throws -> StoredScope? { try reader.scope() }

  func replica(_ replica: ReplicaIdentifier) throws -> StoredReplica? {
    try reader.replica(replica)
  }

  func replicas() throws -> [StoredReplica] { try reader.replicas() }

  func record(_ dataIdentifier: DataIdentifier, in table: String) throws -> StoredRecord? {
    try reader.record(dataIdentifier, in: table)
  }

  func records(after version: Int64, limit: StoreLimit) throws -> [StoredRecord] {
    try reader.records(after: version, limit: limit)
  }

  func records(
    in table: String, after identifier: DataIdentifier?, limit: StoreLimit
  ) throws -> [StoredRecord] {
    try reader.records(in: table, after: identifier, limit: limit)
  }

  func operation(_ operation: OperationIdentifier) throws -> StoredOperation? {
    try reader.operation(operation)
  }

  func operation(of replica: ReplicaIdentifier, at sequence: Int64) throws -> StoredOperation? {
    try reader.operation(of: replica, at: sequence)
  }

  func operations(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredOperation] {
    try reader.operations(of: replica, after: first, through: last, limit: limit)
  }

  func conflict(_ conflict: ConflictIdentifier, of account: String) throws -> StoredConflict? {
    try reader.conflict(conflict, of: account)
  }

  func conflicts(
    of account: String, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredConflict] {
    try reader.conflicts(of: account, after: first, through: last, limit: limit)
  }

  func version(receivedBy time: Int64) throws -> Int64 { try reader.version(receivedBy: time) }
}
