import UndercroftCore
import UndercroftSync

extension SyncEngine {
  /// Synchronises until the server has confirmed all changes, and all pulled rows are applied.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if this does not succeed after 100 attempts.
  func finish(_ client: String) throws {
    for _ in 0..<100 {
      let outcome = try Waiting.wait { try await self.sync() }
      let status = currentStatus
      if !outcome.isLeasedElsewhere, status.pending == 0, status.staged == 0 { return }
    }
    throw StorageError(
      .unavailable,
      "cannot finish the synchronisation of the client \(quoted(client)): after 100 attempts "
        + "\(currentStatus.pending) changes have no result and "
        + "\(currentStatus.staged) pulled rows are not applied",
      suggestion: "read the tables sync_conflict and sync_to_sync of the client's database")
  }
}
