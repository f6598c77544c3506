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
}

extension StorageBackend {
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
