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
  /// The row of the server, or `nil` if it does not exist.
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
  /// The reason in a form that every replica can read: a code that is a name, and a message of
  /// limited length.
  var readable: OperationRejection {
    let isName = (1...SyncLimits.nameBytes).contains(code.utf8.count) && !code.utf8.contains(0)
    return OperationRejection(
      code: isName ? code : "rejected", message: String(message.unicodeScalars.prefix(1000)))
  }
}
