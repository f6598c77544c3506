/// A backend that can exclude every other writer of its store while a closure runs.
///
/// ``Storage/edit(_:_:)`` reads values and applies changes within one exclusive access, so
/// that an edit is atomic across all storages, threads and processes that use the store. A
/// backend that declares ``Capabilities/sharedAcrossProcesses`` must conform to this protocol.
public protocol ExclusiveAccessBackend: StorageBackend {
  /// Runs `body` while no other thread, backend or process writes to the store.
  ///
  /// Reads of the calling thread within `body` see all writes that ended before the access began.
  /// Within `body`, the calling thread can apply changes, and can nest another exclusive access
  /// of the same backend. Reads of other threads do not wait. If the store is not writable, such
  /// as on a read-only disk, `body` runs without a lock, because it cannot change the store.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another writer holds the
  ///   store for too long, and any error that `body` throws, unchanged.
  func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs `body` while no other thread of this process writes through this backend.
  ///
  /// The calling thread holds the writer lock of the backend. It can nest calls and apply changes.
  ///
  /// In every write, a storage acquires the writer lock before its own lock for the backend. This
  /// order prevents a deadlock. A thread within ``withExclusiveAccess(_:)`` or within a transaction
  /// of the backend holds the writer lock, and may write through the storage. That write waits for
  /// the lock of the storage. If another thread held the lock of the storage and then waited for
  /// the writer lock, each thread would wait for the other.
  ///
  /// The default implementation calls ``withExclusiveAccess(_:)``. If
  /// exclusive access costs more than a lock, for example because it
  /// begins a transaction, implement this method with the lock alone.
  ///
  /// - Throws: ``StorageError/Code/locked`` if another thread holds
  ///   the lock for too long, and any error that `body` throws.
  func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result
}

extension ExclusiveAccessBackend {
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try withExclusiveAccess(body)
  }
}

extension StorageBackend {
  /// Runs `body` while holding the writer lock of this backend, or
  /// without a lock if the backend is not an ``ExclusiveAccessBackend``.
  func withWriterLockIfExclusive<Result>(_ body: () throws -> Result) throws -> Result {
    guard let exclusive = self as? any ExclusiveAccessBackend else { return try body() }
    return try exclusive.withWriterLock(body)
  }

  /// Runs `body` with exclusive access if the backend is an ``ExclusiveAccessBackend``,
  /// or without a lock if no other process can write to the store.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if other processes may write
  ///   to the store and cannot be excluded, and any error that `body` throws.
  func withExclusiveAccessIfShared<Result>(_ body: () throws -> Result) throws -> Result {
    if let exclusive = self as? any ExclusiveAccessBackend {
      return try exclusive.withExclusiveAccess(body)
    }
    guard !capabilities.contains(.sharedAcrossProcesses) else {
      throw StorageError(
        .notSupported,
        """
        cannot edit values of the backend \(quoted(name)): other processes can write to the store, \
        and the backend cannot prevent such writes during the edit
        """,
        suggestion: """
          save or remove the values one by one, or use a backend that conforms to \
          ExclusiveAccessBackend
          """,
        backend: name)
    }
    return try body()
  }
}
