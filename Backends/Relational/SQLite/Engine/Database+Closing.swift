import Synchronization
public import UndercroftCore

extension Database {
  /// Waits for all who are inside, then closes the file; every later call is an error, and a second close does nothing.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write, ``StorageError/Code/locked`` when one does not end in time.
  public func close() throws(StorageError) {
    guard try seats.close() else { return }
    // Whoever observes looks once more, and learns it.
    outside.withLock { $0 = nil }
    gate.publishOutside()
  }

  /// Closes connections that nobody uses at the moment, to free their memory and descriptors.
  public func closeIdleReaders() { seats.closeIdle() }
}
