/// A backend whose store other processes may change at any time.
public protocol SharedBackend: StorageBackend {
  /// A number that differs once another process, or another backend on the same store, has changed it.
  ///
  /// Cheap enough for every read: it asks the file system at most once in a few milliseconds, so that
  /// a change may be noticed that much later. An unreadable store keeps its last number.
  func externalChangeCount() -> UInt64

  /// Calls `handler` on a queue of the backend's own after each change from outside, until the watch is released.
  ///
  /// Several changes in a row may arrive as one call.
  func watchExternalChanges(_ handler: @escaping @Sendable () -> Void) throws(StorageError)
    -> any ExternalWatch
}

/// Keeps a watch alive; releasing it ends the calls.
public protocol ExternalWatch: AnyObject, Sendable {}
