/// A reason to synchronise.
public enum SyncTrigger: Sendable, Hashable, CaseIterable {
  /// A local transaction has changed synchronised tables.
  case committed
  /// The server has announced changes.
  case poked
  /// The user has entered a screen that shows synchronised rows.
  case screenEntered
  /// The network has become available.
  case networkAvailable
  /// The user or the application demands a synchronisation.
  case demand
}
