package import UndercroftCore

/// The rules by which a server decides about an operation on a row.
///
/// The resolver reads neither a clock nor a store. The same arguments lead to the same decision.
package struct OperationResolver: Sendable {
  /// The replica that sent the operation.
  package var replica: ReplicaIdentifier
  /// The time of the server in milliseconds since 1970.
  package var now: Int64
  /// The maximum number of milliseconds by which the clock of a replica may be ahead of the clock
  /// of the server.
  package var maximumDrift: Int64
  /// The version up to which tombstones and the ledger of operations have been deleted.
  package var floor: Int64
  /// The policies of the tables that do not use the default policies, by lower-case table name.
  package var policies: [ExactString: TablePolicy]
  /// A closure that returns the reason to reject an operation on a row, or `nil` to accept it.
  package var validate: @Sendable (SyncOperation, ServerRecord?) -> OperationRejection?

  package init(
    replica: ReplicaIdentifier, now: Int64, maximumDrift: Int64 = 60_000, floor: Int64 = 0,
    policies: [ExactString: TablePolicy] = [:],
    validate: @escaping @Sendable (SyncOperation, ServerRecord?) -> OperationRejection? = { _, _ in
      nil
    }
  ) {
    self.replica = replica
    self.now = now
    self.maximumDrift = maximumDrift
    self.floor = floor
    self.policies = policies
    self.validate = validate
  }

  /// Returns the decision about an operation.
  ///
  /// - Parameters:
  ///   - operation: the operation, without increments that were applied before.
  ///   - record: the row of the server, or `nil` if there is none.
  ///   - version: the version that the row gets if it changes.
  package func resolve(
    _ operation: SyncOperation, on record: ServerRecord?, version: Int64
  ) -> Resolution {
    let decision = decision(operation, on: record, version: version)
    // An empty change only answers a conflict, possibly about a row that does not exist.
    if operation.change.isEmpty { return decision.unchanged() }
    if let rejection = validate(operation, record) {
      var resolution = decision.dismissed(.rejected, .rejected, message: rejection.message)
      resolution.rejection = rejection
      return resolution
    }
    guard let record else { return decision.onMissingRow() }
    return record.isDeleted ? decision.onDeletedRow(record) : decision.onLiveRow(record)
  }

  /// Returns a resolution that does not apply an operation, but stores its values as a conflict.
  func dismiss(
    _ operation: SyncOperation, on record: ServerRecord?, _ status: OperationStatus,
    _ kind: SyncConflict.Kind
  ) -> Resolution {
    decision(operation, on: record, version: 0).dismissed(status, kind)
  }

  func decision(
    _ operation: SyncOperation, on record: ServerRecord?, version: Int64
  ) -> Decision {
    let time = operation.hybridTimestamp.clamped(now: now, maximumDrift: maximumDrift)
    return Decision(
      operation: operation, author: ChangeAuthor(replica: replica, hybridTimestamp: time),
      record: record, version: version, floor: floor,
      policy: policies[operation.table.exact.lowercased] ?? TablePolicy())
  }
}
