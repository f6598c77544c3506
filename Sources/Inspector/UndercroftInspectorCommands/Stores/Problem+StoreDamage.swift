import UndercroftCore
import UndercroftInspection

extension Problem {
  /// Creates the problem of a store of which only the batches before the damage were recovered.
  init(damage: StoreDamage, of store: DiscoveredStore) {
    self.init(
      store: store,
      error: StorageError(
        .corrupted, damage.failure, suggestion: StoreDamage.suggestion, backend: store.scheme))
  }
}
