public import UndercroftFoundation

/// An operation in the ledger of a server.
public struct StoredOperation: Sendable, Hashable {
  /// The identifier.
  public var operationIdentifier: OperationIdentifier
  /// The replica that sent the operation last, or `nil` if it was only part of another operation.
  public var replica: ReplicaIdentifier?
  /// The position in the chain of that replica, or `nil` if there is no replica.
  public var sequence: Int64?
  /// The version of the scope after the operation was processed.
  public var processedAt: Int64
  /// The time at which the operation was processed, in milliseconds since 1970.
  public var receivedAt: Int64
  /// The result, which the store does not read.
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
