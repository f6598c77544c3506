/// A backend whose store other processes may change at any time.
public protocol SharedBackend: StorageBackend {
  /// Returns a number that changes when another process, or
  /// another backend on the same store, has changed the store.
  ///
  /// The call is cheap enough for every read: it queries the file system at
  /// most once within a few milliseconds, so a change may be noticed after
  /// this delay. While the store is unreadable, the number does not change.
  func externalChangeCount() -> UInt64

  /// Calls `handler` after each change by another process or backend, until the watch is released.
  ///
  /// The handler runs on a queue of the backend. Several changes may be reported by one call.
  func watchExternalChanges(_ handler: @escaping @Sendable () -> Void) throws(StorageError)
    -> any ExternalWatch
}

/// A watch of changes to a store, which ends when its last reference is released.
public protocol ExternalWatch: AnyObject, Sendable {}
