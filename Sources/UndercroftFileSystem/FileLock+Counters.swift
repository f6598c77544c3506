package import UndercroftCore
import UndercroftFoundation

/// The counters in a lock file, which let the instances of a store detect each other's writes.
///
/// Before the first change that other instances can see, the holder of the lock
/// records its write in the counter ``Counter/announced``. After the last change,
/// the holder increments ``Counter/changes``. If a writer is killed between these two
/// steps, or if its last call fails, the record of the write remains. Other instances
/// then discard all data that they have read before, and the next writer counts the
/// unfinished write.
extension FileLock {
  /// A counter in the lock file, which all instances of the store share.
  package enum Counter: Int, Sendable, CaseIterable {
    /// The number of writes that have ended.
    case changes = 8
    /// The number of batches that change several files;
    /// a batch is counted before its first file changes.
    case batches = 16
    /// The value that ``changes`` will have after the last announced write.
    case announced = 24
  }

  /// The number of ended writes, and whether a write is unfinished, from one read of a lock file.
  package struct WriteCounts: Sendable, Equatable {
    /// The number of writes that have ended.
    package let ended: UInt64
    /// Whether a write was announced and has not ended.
    package let isUnfinished: Bool

    /// Creates a value with the given number of ended writes.
    package init(ended: UInt64, isUnfinished: Bool) {
      self.ended = ended
      self.isUnfinished = isUnfinished
    }
  }

  /// Returns the number of ended writes, and whether a write is unfinished, from one read of this
  /// lock file.
  package func writeCounts() throws(StorageError) -> WriteCounts { try Self.writeCounts(in: file) }

  /// Returns the number of ended writes, and whether a write is unfinished, from one read of an
  /// open lock file.
  ///
  /// One read returns both counters, ``Counter/changes`` and ``Counter/announced``. A counter that
  /// the file does not contain yet is 0.
  package static func writeCounts(
    in file: borrowing Descriptor
  ) throws(StorageError) -> WriteCounts {
    let start = Counter.changes.rawValue
    let bytes = try file.read(Counter.announced.rawValue + 8 - start, at: start)
    return bytes.withUnsafeBytes { bytes in
      func number(_ counter: Counter) -> UInt64 {
        var reader = ByteReader(bytes, at: counter.rawValue - start)
        return reader.number(UInt64.self) ?? 0
      }
      let ended = number(.changes)
      // Tests for the next number only, because earlier versions
      // of this toolkit count writes without announcing them.
      return WriteCounts(ended: ended, isUnfinished: number(.announced) == ended &+ 1)
    }
  }

  /// Records in the lock file that a write begins.
  ///
  /// Call this method before the first change of the write.
  ///
  /// - Parameter counts: the counts in the lock file, which do not include this write yet.
  package func announceWrite(after counts: WriteCounts) throws(StorageError) {
    try put(counts.ended &+ 1, .announced)
  }

  /// Records in the lock file that a write has ended.
  ///
  /// Call this method after the last change of the write.
  ///
  /// - Parameter counts: the counts in the lock file, in which this write has not ended yet.
  package func endWrite(after counts: WriteCounts) throws(StorageError) {
    try put(counts.ended &+ 1, .changes)
  }

  /// Returns a counter of this lock file; another process can increment the counter at any time.
  package func count(_ counter: Counter) throws(StorageError) -> UInt64 {
    try Self.count(counter, in: file)
  }

  /// Returns a counter of the open lock file, or 0 if the file does not contain the counter yet.
  package static func count(
    _ counter: Counter, in file: borrowing Descriptor
  ) throws(StorageError) -> UInt64 {
    let bytes = try file.read(8, at: counter.rawValue)
    guard bytes.count == 8 else { return 0 }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// Increments a counter; the caller must hold the lock.
  package func advance(_ counter: Counter) throws(StorageError) {
    try put(try count(counter) &+ 1, counter)
  }

  /// Allocates the space of the counters in the lock file, so
  /// that incrementing them later does not fail on a full disk.
  package func reserveCounters() throws(StorageError) {
    for counter in Counter.allCases where try file.status().st_size < counter.rawValue + 8 {
      try put(0, counter)
    }
  }

  private func put(_ number: UInt64, _ counter: Counter) throws(StorageError) {
    try withUnsafeBytes(of: number.littleEndian) { (bytes) throws(StorageError) in
      try file.write(bytes, at: counter.rawValue)
    }
  }
}
