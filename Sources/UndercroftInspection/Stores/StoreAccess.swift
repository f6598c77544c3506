package import UndercroftCore
package import UndercroftFoundation

/// The way in which the content of a store is read while other processes may write to the store.
package enum StoreAccess: Sendable {
  /// A closure that returns the location of a copy of a store.
  package typealias Locating = @Sendable (DiscoveredStore) throws(StorageError) -> URL

  /// Reads the store in place, without a lock.
  case direct
  /// Reads the store in place with a shared lock, if its backend supports such locks, and otherwise
  /// without a lock.
  case locked
  /// Reads a copy of the store at the location that the closure returns.
  case copy(Locating)
}

extension DiscoveredStore {
  /// Returns the same store, whose content is read in another way.
  package func reading(by access: StoreAccess) -> DiscoveredStore {
    var store = self
    store.access = access
    return store
  }

  /// Returns the location at which the content of the store is read: ``url``, or the location of a
  /// copy.
  ///
  /// - Throws: any error that copying the store throws.
  package func contentURL() throws(StorageError) -> URL {
    if case .copy(let locate) = access { return try locate(self) }
    return url
  }
}
