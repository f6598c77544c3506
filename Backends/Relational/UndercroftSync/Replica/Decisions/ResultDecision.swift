/// The effect of a result of the server on the operation to which the result belongs.
package enum ResultDecision: Hashable, Sendable {
  /// The result belongs to another copy of the file, or was received before.
  case isIgnored
  /// The operation leaves the queue, and its values become a conflict.
  case isParked(SyncConflict.Kind)
  /// The operation leaves the queue: it had no effect, or the pulled row contains it.
  case leaves
  /// The operation remains visible until a row of this version is pulled.
  case isAcknowledged(version: Int64)

  /// Decides how a result affects its operation.
  ///
  /// An acknowledgement never changes the version that the replica has seen of the row.
  ///
  /// - Parameters:
  ///   - result: the result of the server.
  ///   - state: the state of the operation. Only an operation that was sealed can have a result.
  ///   - recordVersion: the version of the pulled row, or `nil` if there is none.
  ///   - consistentCursor: the version up to which the replica has applied all pulled changes.
  package init(
    _ result: OperationResult, state: OperationState, recordVersion: Int64?,
    consistentCursor: Int64
  ) {
    guard state.awaitsResult else {
      self = .isIgnored
      return
    }
    switch result.status {
    case .parked: self = .isParked(.open)
    case .stale: self = .isParked(.stale)
    case .rejected: self = .isParked(.rejected)
    case .groupAborted: self = .isParked(.groupAborted)
    case .applied, .absorbed, .lost:
      let version = result.version
      let isPulled = (recordVersion ?? 0) >= version || consistentCursor >= version
      self =
        state == .confirmed || version == 0 || isPulled
        ? .leaves : .isAcknowledged(version: version)
    }
  }
}
