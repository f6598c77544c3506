package import UndercroftCore
package import UndercroftFoundation

/// The way in which the content of a store is read while other processes may write to the store.
package enum StoreAccess: Sendable {
  /// Reads the store in place, without a lock.
  case direct
  /// Reads the store in place with a shared lock, if its backend supports such locks, and otherwise
  /// without a lock.
  case locked
  /// Reads a copy of the store at the location that the closure returns.
  case copy(@Sendable (DiscoveredStore) throws(StorageError) -> URL)
}
