public import UndercroftFoundation

/// An operation in the ledger of a server.
public struct StoredOperation: Sendable, Hashable {
  /// The identifier of the operation, which is unique in the scope.
  public var operationIdentifier: OperationIdentifier
  /// The replica that sent the operation last, or `nil`.
  ///
  /// The value is `nil` if the operation was only part of another operation, or if the replica was
  /// removed.
  public var replica: ReplicaIdentifier?
  /// The position of the operation in the chain of ``replica``, or `nil` if ``replica`` is `nil`.
  public var sequence: Int64?
  /// The version of the scope after the operation was processed.
  public var processedAt: Int64
  /// The time at which the operation was processed, in milliseconds since 1970.
  public var receivedAt: Int64
  /// The encoded row address and result of the operation, which are opaque to the store.
  public var body: Data

  /// Creates an operation from its parts.
  public init(
    operationIdentifier: OperationIdentifier, replica: ReplicaIdentifier?, sequence: Int64?,
    processedAt: Int64, receivedAt: Int64, body: Data
  ) {
    self.operationIdentifier = operationIdentifier
    self.replica = replica
    self.sequence = sequence
    self.processedAt = processedAt
    self.receivedAt = receivedAt
    self.body = body
  }
}
