/// A backend that can exclude every other writer of its store while a closure runs.
///
/// ``Gate/edit(_:)`` reads and applies within one exclusive access, so that an edit is atomic across all gates, threads and
/// processes that use the store. A backend that declares ``Capabilities/sharedAcrossProcesses`` must conform.
public protocol ExclusiveAccessBackend: StorageBackend {
  /// Runs `body` while no other thread of this backend, no other backend and no other process writes to the store.
  ///
  /// Reads of the calling thread within `body` see everything that was written before the access began. The calling thread may
  /// apply, and may nest another exclusive access of the same backend, within `body`. Reads of other threads do not wait.
  /// Errors of `body` reach the caller unchanged. `body` may change nothing, so a store that may not be written, such as one
  /// on a read-only disk, runs it without a lock.
  ///
  /// - Throws: ``StorageError/Code/locked`` when another writer holds the store for too long, and what `body` throws.
  func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs `body` while no other thread of this process writes through this backend; the calling thread may nest it, and may apply.
  ///
  /// A ``Gate`` acquires this lock before its own, in every write. An application can therefore write through the gate within
  /// ``withExclusiveAccess(_:)``, or within a transaction of the backend, while another thread writes through the gate: with the
  /// locks in the other order each thread would wait for the lock of the other. The default is ``withExclusiveAccess(_:)``.
  /// A backend whose exclusive access costs more than a lock, such as a transaction, implements the method with its lock alone.
  ///
  /// - Throws: ``StorageError/Code/locked`` when another thread holds the lock for too long, and what `body` throws.
  func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result
}

extension ExclusiveAccessBackend {
  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try withExclusiveAccess(body)
  }
}

extension StorageBackend {
  /// Runs `body` with the writer lock of this backend, if it has one.
  func withWriterLockIfExclusive<Result>(_ body: () throws -> Result) throws -> Result {
    guard let exclusive = self as? any ExclusiveAccessBackend else { return try body() }
    return try exclusive.withWriterLock(body)
  }

  /// Runs `body` with exclusive access where the store may have other writers than the caller's gate.
  func withExclusiveAccessIfShared<Result>(_ body: () throws -> Result) throws -> Result {
    if let exclusive = self as? any ExclusiveAccessBackend {
      return try exclusive.withExclusiveAccess(body)
    }
    guard !capabilities.contains(.sharedAcrossProcesses) else {
      throw StorageError(
        .notSupported, "cannot edit: other processes may write here, and are not excluded",
        cure: "save the values one by one, or let the backend conform to ExclusiveAccessBackend",
        backend: name)
    }
    return try body()
  }
}
