package import UndercroftCore

extension FileLock {
  /// Waits for a lock that excludes the holders of a ``FileLock`` on the same file, but not others
  /// that call this function.
  ///
  /// The file is not changed, and need not be writable. Waits in the same queue as writers, so that
  /// writers without a pause between their writes do not prevent the lock.
  ///
  /// - Returns: the open file, which holds the lock until it is closed.
  /// - Throws: ``StorageError/Code/locked`` after `timeout`.
  package static func sharedLock(
    at path: String, timeout: Duration
  ) throws(StorageError) -> Descriptor {
    let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let deadline = ContinuousClock.now + timeout
    try wait(until: deadline, on: file, byte: queueByte, trySharedLock)
    try wait(until: deadline, on: file, byte: lockByte, trySharedLock)
    unlock(file.raw, byte: queueByte)
    return file
  }
}
