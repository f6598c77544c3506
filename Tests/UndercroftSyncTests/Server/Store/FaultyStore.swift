import Synchronization
import UndercroftSync

/// The error of a ``FaultyStore``, which rolls back a transaction as the end of the process does.
struct StoreFault: Error {}

/// A store in which one chosen call of a writing transaction fails.
final class FaultyStore: SyncServerStore {
  private let store: any SyncServerStore
  /// The number of calls that succeed before the call that fails, or `nil` if no call is to fail.
  private let remaining = Mutex<Int?>(nil)

  init(_ store: any SyncServerStore) { self.store = store }

  /// Makes one call in writing transactions fail, after `count` calls that succeed.
  func fail(after count: Int) { remaining.withLock { $0 = count } }

  /// Lets all further calls succeed, and returns whether the chosen call has not failed yet.
  func repair() -> Bool {
    remaining.withLock { remaining in
      defer { remaining = nil }
      return remaining != nil
    }
  }

  /// Counts a call, and throws ``StoreFault`` if it is the chosen call.
  func call() throws {
    try remaining.withLock { remaining in
      guard let count = remaining else { return }
      remaining = count == 0 ? nil : count - 1
      if count == 0 { throw StoreFault() }
    }
  }

  func write<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
  ) throws -> Result {
    try store.write(in: scope) { transaction in
      let result = try body(FaultyTransaction(transaction: transaction, store: self))
      // The commit.
      try call()
      return result
    }
  }

  func read<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
  ) throws -> Result {
    try store.read(in: scope, body)
  }

  func scopes() throws -> [ScopeIdentifier] { try store.scopes() }
}

/// A transaction that counts each call before it carries out the call.
private struct FaultyTransaction: SyncServerTransaction {
  let transaction: any SyncServerTransaction
  let store: FaultyStore

  private func calling<Result>(
    _ body: (any SyncServerTransaction) throws -> Result
  ) throws -> Result {
    try store.call()
    return try body(transaction)
  }

  func scope() throws -> StoredScope? { try calling { try $0.scope() } }
  func replica(_ replica: ReplicaIdentifier) throws -> StoredReplica? {
    try calling { try $0.replica(replica) }
  }
  func replicas() throws -> [StoredReplica] { try calling { try $0.replicas() } }
  func record(_ dataIdentifier: DataIdentifier, in table: String) throws -> StoredRecord? {
    try calling { try $0.record(dataIdentifier, in: table) }
  }
  func records(after version: Int64, limit: StoreLimit) throws -> [StoredRecord] {
    try calling { try $0.records(after: version, limit: limit) }
  }
  func records(
    in table: String, after identifier: DataIdentifier?, limit: StoreLimit
  ) throws -> [StoredRecord] {
    try calling { try $0.records(in: table, after: identifier, limit: limit) }
  }
  func operation(_ operation: OperationIdentifier) throws -> StoredOperation? {
    try calling { try $0.operation(operation) }
  }
  func operation(of replica: ReplicaIdentifier, at sequence: Int64) throws -> StoredOperation? {
    try calling { try $0.operation(of: replica, at: sequence) }
  }
  func operations(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredOperation] {
    try calling { try $0.operations(of: replica, after: first, through: last, limit: limit) }
  }
  func conflict(_ conflict: ConflictIdentifier, of account: String) throws -> StoredConflict? {
    try calling { try $0.conflict(conflict, of: account) }
  }
  func conflicts(
    of account: String, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredConflict] {
    try calling { try $0.conflicts(of: account, after: first, through: last, limit: limit) }
  }
  func version(receivedBy time: Int64) throws -> Int64 {
    try calling { try $0.version(receivedBy: time) }
  }
  func prefetch(
    records: [(table: String, dataIdentifier: DataIdentifier)], operations: [OperationIdentifier]
  ) throws {
    try calling { try $0.prefetch(records: records, operations: operations) }
  }
  func put(_ scope: StoredScope) throws { try calling { try $0.put(scope) } }
  func put(_ replica: StoredReplica) throws { try calling { try $0.put(replica) } }
  func put(_ record: StoredRecord) throws { try calling { try $0.put(record) } }
  func put(_ operation: StoredOperation) throws { try calling { try $0.put(operation) } }
  func put(_ conflict: StoredConflict) throws { try calling { try $0.put(conflict) } }
  func removeReplica(_ replica: ReplicaIdentifier) throws {
    try calling { try $0.removeReplica(replica) }
  }
  func removeTombstones(through version: Int64) throws -> Int {
    try calling { try $0.removeTombstones(through: version) }
  }
  func removeOperations(through version: Int64) throws -> Int {
    try calling { try $0.removeOperations(through: version) }
  }
  func removeConflicts(through version: Int64) throws -> Int {
    try calling { try $0.removeConflicts(through: version) }
  }
}
