/// A change of a row by an account, which the validator of a server can reject.
public struct ProposedChange: Sendable, Hashable {
  /// The account that makes the change.
  public let account: String
  /// The replica that makes the change.
  public let replica: ReplicaIdentifier
  /// The table of the row.
  public let table: String
  /// The identifier of the row.
  public let dataIdentifier: DataIdentifier
  /// The kind of the change.
  public let kind: OperationKind
  /// The new values of columns that are not counters.
  public let values: FieldValues
  /// The numbers that are added to counters.
  public let increments: CounterValues
  /// The values of the row on the server, or `nil` if the row does not exist or is deleted.
  public let row: FieldValues?
}

extension ProposedChange {
  init(_ operation: SyncOperation, on record: ServerRecord?, by replica: StoredReplica) {
    account = replica.account
    self.replica = replica.replica
    table = operation.table
    dataIdentifier = operation.dataIdentifier
    kind = operation.change.kind
    values = operation.change.values
    increments = operation.change.increments
    row = record.flatMap { $0.isDeleted ? nil : $0.fields }
  }
}

extension OperationRejection {
  /// The rejection with a code and a message that the protocol can transmit.
  ///
  /// A code that is empty, contains NUL or exceeds the length of a name becomes "rejected". A
  /// message is truncated to 1000 Unicode scalars.
  var readable: OperationRejection {
    let isName = (1...SyncLimits.nameBytes).contains(code.utf8.count) && !code.utf8.contains(0)
    return OperationRejection(
      code: isName ? code : "rejected", message: String(message.unicodeScalars.prefix(1000)))
  }
}
