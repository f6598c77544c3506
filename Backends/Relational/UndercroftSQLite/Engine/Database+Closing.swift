import Synchronization
public import UndercroftCore

extension Database {
  /// Waits for all reads and writes to end, and closes the file.
  ///
  /// Every later call throws, except another ``close()``, which does nothing.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write; ``StorageError/Code/locked`` if
  ///   a read or write does not end within the lock timeout.
  public func close() throws(StorageError) {
    guard try pool.close() else { return }
    // Notifies the observers once more. An observed query then runs again, and receives the error
    // for a closed database.
    externalChangeMonitor.withLock { $0 = nil }
    gate.publishExternalChange()
  }

  /// Closes the reader connections that no thread uses now, to free their memory and file
  /// descriptors.
  public func closeIdleReaders() { pool.closeIdle() }
}
