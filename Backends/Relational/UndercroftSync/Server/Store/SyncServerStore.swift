/// The store of a synchronisation server.
///
/// The store finds rows, replicas, conflicts and the operations of the ledger by typed keys. Their
/// bodies are opaque to the store. All rules of the protocol are in ``SyncServer``. The
/// transactions of one scope are serialised: no transaction sees a version before all smaller
/// versions are visible.
///
/// The bodies of transactions must not call the store again.
public protocol SyncServerStore: Sendable {
  /// Runs `body` in a transaction of one scope, which is committed if `body` returns and rolled
  /// back as a whole if it throws.
  ///
  /// When the function returns, the changes are as durable as the store guarantees.
  ///
  /// - Throws: any error that `body` throws, unchanged.
  func write<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerTransaction) throws -> Result
  ) throws -> Result

  /// Runs `body` with one snapshot of a scope.
  ///
  /// - Throws: any error that `body` throws, unchanged.
  func read<Result>(
    in scope: ScopeIdentifier, _ body: (any SyncServerReader) throws -> Result
  ) throws -> Result

  /// Returns the scopes that have a ``StoredScope``, in any order.
  func scopes() throws -> [ScopeIdentifier]
}

/// A snapshot of one scope, which is valid until the closure that receives it returns.
public protocol SyncServerReader {
  /// Returns the state of the scope, or `nil` before it was stored.
  func scope() throws -> StoredScope?

  /// Returns a replica, or `nil` if there is none.
  func replica(_ replica: ReplicaIdentifier) throws -> StoredReplica?

  /// Returns all replicas, in any order.
  func replicas() throws -> [StoredReplica]

  /// Returns a row, which may be a tombstone, or `nil` if there is none.
  func record(_ dataIdentifier: DataIdentifier, in table: String) throws -> StoredRecord?

  /// Returns the rows whose version is greater than `version`, including tombstones, in the order
  /// of their versions.
  ///
  /// - Parameters:
  ///   - version: the version after which the rows begin.
  ///   - limit: the largest number of rows, and the number of bytes after which no further row is
  ///     added.
  func records(after version: Int64, limit: StoreLimit) throws -> [StoredRecord]

  /// Returns the rows of a table, including tombstones, in the order of the bytes of their
  /// identifiers.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - identifier: the identifier after which the rows begin, or `nil` to begin with the first.
  ///   - limit: the largest number of rows and the number of bytes that end the list.
  func records(
    in table: String, after identifier: DataIdentifier?, limit: StoreLimit
  ) throws -> [StoredRecord]

  /// Returns an operation of the ledger, or `nil` if there is none.
  func operation(_ operation: OperationIdentifier) throws -> StoredOperation?

  /// Returns the operation of a replica with a sequence number, or `nil` if there is none.
  func operation(of replica: ReplicaIdentifier, at sequence: Int64) throws -> StoredOperation?

  /// Returns the operations of a replica with sequence numbers after `first` and up to `last`, in
  /// their order.
  func operations(
    of replica: ReplicaIdentifier, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredOperation]

  /// Returns a conflict of an account, or `nil` if the account has no such conflict.
  func conflict(_ conflict: ConflictIdentifier, of account: String) throws -> StoredConflict?

  /// Returns the conflicts of an account with versions after `first` and up to `last`, in the order
  /// of their versions and of their identifiers.
  ///
  /// A list that reaches the limit continues to the last conflict of its last version, so that it
  /// never contains only some conflicts of a version.
  func conflicts(
    of account: String, after first: Int64, through last: Int64, limit: StoreLimit
  ) throws -> [StoredConflict]

  /// Returns the greatest ``StoredOperation/processedAt`` among the operations that were received
  /// at `time` or earlier, or 0 if there are none.
  ///
  /// - Parameter time: milliseconds since 1970.
  func version(receivedBy time: Int64) throws -> Int64
}

/// A transaction of one scope, which sees its own changes, and is valid until the closure that
/// receives it returns.
public protocol SyncServerTransaction: SyncServerReader {
  /// Announces rows and operations that this transaction will probably read by their keys.
  ///
  /// A store that sends a message to a database server for each read can read all of them with one
  /// message. The results of later reads are the same as without the announcement. The default
  /// implementation does nothing.
  ///
  /// - Parameters:
  ///   - records: the keys of rows, which need not exist.
  ///   - operations: the identifiers of operations, which need not exist.
  func prefetch(
    records: [(table: String, dataIdentifier: DataIdentifier)], operations: [OperationIdentifier]
  ) throws

  /// Stores the state of the scope.
  func put(_ scope: StoredScope) throws

  /// Stores a replica, and replaces one with the same identifier.
  func put(_ replica: StoredReplica) throws

  /// Stores a row, and replaces the one with the same table and identifier.
  func put(_ record: StoredRecord) throws

  /// Stores an operation, and replaces one with the same identifier.
  func put(_ operation: StoredOperation) throws

  /// Stores a conflict, and replaces one with the same identifier and account.
  func put(_ conflict: StoredConflict) throws

  /// Removes a replica, and sets ``StoredOperation/replica`` and ``StoredOperation/sequence`` of
  /// the replica's operations to `nil`.
  func removeReplica(_ replica: ReplicaIdentifier) throws

  /// Removes the tombstones up to a version, except those that are retained, and returns their
  /// number.
  @discardableResult
  func removeTombstones(through version: Int64) throws -> Int

  /// Removes the operations that were processed at a version or earlier, and returns their number.
  @discardableResult
  func removeOperations(through version: Int64) throws -> Int

  /// Removes the conflicts up to a version, and returns their number.
  @discardableResult
  func removeConflicts(through version: Int64) throws -> Int
}

extension SyncServerTransaction {
  public func prefetch(
    records: [(table: String, dataIdentifier: DataIdentifier)], operations: [OperationIdentifier]
  ) throws {}
}

/// A limit on the number and the size of the elements in a list that a store returns.
public struct StoreLimit: Sendable, Hashable {
  /// The largest number of elements.
  public var count: Int
  /// The number of bytes at which a list ends.
  ///
  /// The element whose body reaches this number is the last element of the list.
  public var bytes: Int

  /// Creates a limit.
  public init(count: Int, bytes: Int = .max) {
    self.count = count
    self.bytes = bytes
  }

  /// Returns whether a list has reached the limit, so that no further element is added.
  ///
  /// - Parameters:
  ///   - count: the number of elements in the list.
  ///   - bytes: the sum of the bytes of their bodies.
  public func isReached(count: Int, bytes: Int) -> Bool {
    count >= self.count || bytes >= self.bytes
  }
}
