/// The effect of a pulled row on an operation of the row.
package enum EchoDecision: Hashable, Sendable {
  /// The operation remains in its state, because the pulled row need not contain it.
  case remains
  /// The operation leaves the queue, because the pulled row contains it and its result has arrived.
  case leaves
  /// The operation becomes confirmed: the pulled row contains it, but its result has not arrived.
  case isConfirmed

  /// Decides how a pulled row affects an operation of the same row.
  ///
  /// - Parameters:
  ///   - state: the state of the operation.
  ///   - sequence: the number of the operation in the chain of this replica, or `nil` if it has
  ///     none.
  ///   - serverVersion: the version in the result of the operation, or `nil` if none has arrived.
  ///   - version: the version of the pulled row.
  ///   - appliedThrough: the number of this replica's last operation that the page may contain.
  package init(
    state: OperationState, sequence: Int64?, serverVersion: Int64?, pulled version: Int64,
    appliedThrough: Int64
  ) {
    let isContained = sequence.map { $0 <= appliedThrough } ?? false
    switch state {
    case .acknowledged: self = isContained || (serverVersion ?? 0) <= version ? .leaves : .remains
    case .sealed: self = isContained ? .isConfirmed : .remains
    case .pending, .closed, .ready, .confirmed: self = .remains
    }
  }
}
