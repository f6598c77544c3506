/// A backend whose store other processes may change at any time.
public protocol SharedBackend: StorageBackend {
  /// Returns a number that changes when another process, or
  /// another backend on the same store, has changed the store.
  ///
  /// Every read may call this function, because it queries the file system at most once
  /// within a few milliseconds. The number may therefore change a few milliseconds after
  /// the change of the store. While the store is unreadable, the number does not change.
  func externalChangeCount() -> UInt64

  /// Calls `handler` after each change by another process
  /// or backend, until the returned watch is released.
  ///
  /// The handler runs on a queue of the backend. One call may report several changes.
  func watchExternalChanges(_ handler: @escaping @Sendable () -> Void) throws(StorageError)
    -> any ExternalWatch
}

/// A watch of changes to a store, which ends when its last reference is released.
public protocol ExternalWatch: AnyObject, Sendable {}
