/// The progress of an operation in the queue of a replica.
package enum OperationState: String, Hashable, Sendable, CaseIterable {
  /// The change is captured, and further changes of the row are coalesced with it.
  case pending = "pending"
  /// The change is captured, and later changes of the row belong to other operations.
  case closed = "closed"
  /// The change is computed and waits to get a sequence number.
  case ready = "ready"
  /// The operation has a sequence number and is sent until its result arrives.
  case sealed = "sealed"
  /// The pulled row contains the effect of the operation, whose result has not arrived yet.
  case confirmed = "confirmed"
  /// The result has arrived, but the effect of the operation has not been pulled yet.
  case acknowledged = "acked"

  /// Whether the change is captured but not yet computed.
  package var isCaptured: Bool { self == .pending || self == .closed }

  /// Whether the operation is applied to the pulled row to compute the visible row.
  package var isFolded: Bool { self == .ready || self == .sealed || self == .acknowledged }

  /// Whether the replica sends the operation again until a result arrives.
  package var awaitsResult: Bool { self == .sealed || self == .confirmed }
}
