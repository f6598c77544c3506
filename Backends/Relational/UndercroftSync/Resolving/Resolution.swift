import UndercroftCore

/// The outcome of an operation on the server.
package enum OperationStatus: String, Hashable, Sendable {
  /// The operation was applied, possibly without effect or without some values.
  case applied = "applied"
  /// A later operation that contains this operation was applied.
  case absorbed = "absorbed"
  /// The whole operation was discarded, because it conflicts with the state of the row.
  case lost = "lost"
  /// The operation waits for a decision of the user.
  case parked = "parked"
  /// The operation is too old to be applied safely.
  case stale = "stale"
  /// A validator rejected the operation.
  case rejected = "rejected"
  /// Another operation of the same group was not applied.
  case groupAborted = "group_aborted"
}

/// The decision of the server about an operation.
package struct Resolution: Hashable, Sendable {
  /// The outcome of the operation.
  package var status: OperationStatus
  /// The version of the row after the operation, or 0 if the operation had no effect.
  package var version: Int64
  /// The row to store, or `nil` if the row remains unchanged.
  package var record: ServerRecord?
  /// The conflicts that the operation caused, with all values that were lost.
  package var conflicts: [SyncConflict]
  /// The reason for which the operation was rejected, or `nil` if it was not rejected.
  package var rejection: OperationRejection?

  package init(
    status: OperationStatus, version: Int64 = 0, record: ServerRecord? = nil,
    conflicts: [SyncConflict] = [], rejection: OperationRejection? = nil
  ) {
    self.status = status
    self.version = version
    self.record = record
    self.conflicts = conflicts
    self.rejection = rejection
  }

  /// The columns in which the value of the operation was lost, sorted.
  package var lostColumns: [String] {
    conflicts.first { $0.kind == .operationValuesLost }?.values.keys.sorted().map(\.text) ?? []
  }
}

/// The reason for which a validator of the server rejects an operation.
public struct OperationRejection: Hashable, Sendable {
  /// The reason as a word for programs, such as "quota".
  public var code: String
  /// The reason as a sentence for people.
  public var message: String

  /// Creates a reason from its parts.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
