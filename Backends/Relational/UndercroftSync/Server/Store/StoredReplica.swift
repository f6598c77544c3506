public import UndercroftFoundation

/// A replica in the store of a server.
public struct StoredReplica: Sendable, Hashable {
  /// The identifier of the replica, which is unique in the scope.
  public var replica: ReplicaIdentifier
  /// The account that the replica belongs to.
  public var account: String
  /// The sequence number of the last processed operation, or 0 if there is none.
  public var lastSequence: Int64
  /// The last processed operation, or `nil` if there is none.
  public var lastOperation: OperationIdentifier?
  /// The hash of the processed operations, 32 bytes, or `nil` if there are none.
  public var chain: Data?
  /// The version up to which the replica has applied all changes.
  public var appliedCursor: Int64
  /// The sequence number of the last operation up to which the replica has all results.
  public var resultsThrough: Int64
  /// The version of the application's schema in the last request.
  public var schemaVersion: Int64
  /// The time of the last request that was recorded, in milliseconds since 1970.
  public var lastSeen: Int64

  /// Creates a replica, by default one without operations.
  public init(
    replica: ReplicaIdentifier, account: String, lastSequence: Int64 = 0,
    lastOperation: OperationIdentifier? = nil, chain: Data? = nil, appliedCursor: Int64 = 0,
    resultsThrough: Int64 = 0, schemaVersion: Int64 = 1, lastSeen: Int64 = 0
  ) {
    self.replica = replica
    self.account = account
    self.lastSequence = lastSequence
    self.lastOperation = lastOperation
    self.chain = chain
    self.appliedCursor = appliedCursor
    self.resultsThrough = resultsThrough
    self.schemaVersion = schemaVersion
    self.lastSeen = lastSeen
  }
}

extension StoredReplica {
  /// The chain of the processed operations.
  var operationChain: OperationChain {
    get {
      OperationChain(
        count: lastSequence, lastOperation: lastOperation,
        hash: chain.flatMap { SHA256Digest(stored: $0) })
    }
    set {
      lastSequence = newValue.count
      lastOperation = newValue.lastOperation
      chain = newValue.hash.map { Data($0.bytes) }
    }
  }
}
