/// The reaction of a replica to a refusal.
package enum RefusalDecision: Hashable, Sendable {
  /// Nothing changes; the operations remain in the queue.
  case waits
  /// The replica gets a new identity and sends its operations again.
  case reidentifies
  /// The replica pulls everything again, because the server has another history, for example
  /// after a backup was restored.
  ///
  /// The epoch identifies the new history.
  case resetsTimeline(Epoch)
  /// The replica pulls a snapshot of the same history.
  case startsSnapshot(Epoch)
  /// The operation becomes a conflict, because the server never accepts it.
  case parks(OperationIdentifier)

  /// Decides how a replica reacts to a refusal, which may be delayed or repeated.
  package init(_ refusal: SyncRefusal, state: ReplicaState) {
    switch refusal {
    case .forked: self = .reidentifies
    case .epoch(let epoch): self = epoch == state.epoch ? .waits : .resetsTimeline(epoch)
    case .reset(_, let epoch):
      if epoch != state.epoch {
        self = .resetsTimeline(epoch)
      } else if state.mode == .snapshot, state.downloadCursor == 0 {
        // The snapshot has just begun, so the refusal is a repeated one.
        self = .waits
      } else {
        self = .startsSnapshot(epoch)
      }
    case .operationCollision(let operation): self = .parks(operation)
    case .upgradeRequired: self = .waits
    }
  }
}
