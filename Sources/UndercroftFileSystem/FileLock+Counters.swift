package import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The counters in a lock file, by which openers notice the writes of others.
///
/// The holder of the lock announces a write before the first change that others can see, and counts
/// the write when the write has ended. A writer that is killed in between, or whose last call
/// fails, leaves an announcement: other openers then rely on nothing that they have read before,
/// and the next writer ends the write.
extension FileLock {
  /// A number in the lock file that all its openers share.
  package enum Counter: Int, Sendable, CaseIterable {
    /// Counts the writes that have ended.
    case changes = 8
    /// Counts changes of several files, each before the first of them.
    case batches = 16
    /// The value of `changes` at the end of the write that was announced last.
    case announced = 24
  }

  /// The counters of the writes at one moment.
  package struct WriteCounts: Sendable, Equatable {
    /// How many writes have ended.
    package let ended: UInt64
    /// Whether a write was announced that has not ended.
    package let isUnfinished: Bool

    package init(ended: UInt64, isUnfinished: Bool) {
      self.ended = ended
      self.isUnfinished = isUnfinished
    }
  }

  /// Returns the counters of the writes.
  package func writeCounts() throws(StorageError) -> WriteCounts { try Self.writeCounts(in: file) }

  /// Returns the counters of the writes in the open lock file, in one call.
  ///
  /// A missing counter
  /// is 0.
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
      // Exactly the next one: an opener of an earlier version counts writes and announces none.
      return WriteCounts(ended: ended, isUnfinished: number(.announced) == ended &+ 1)
    }
  }

  /// Announces a write after those in `counts`, before its first change.
  package func announceWrite(after counts: WriteCounts) throws(StorageError) {
    try put(counts.ended &+ 1, .announced)
  }

  /// Counts the write after those in `counts`, after its last change.
  package func endWrite(after counts: WriteCounts) throws(StorageError) {
    try put(counts.ended &+ 1, .changes)
  }

  /// Returns a counter of this lock file, advanced by any process.
  package func count(_ counter: Counter) throws(StorageError) -> UInt64 {
    try Self.count(counter, in: file)
  }

  /// Returns a counter of the open lock file; 0 where it has none yet.
  package static func count(
    _ counter: Counter, in file: borrowing Descriptor
  ) throws(StorageError) -> UInt64 {
    let bytes = try file.read(8, at: counter.rawValue)
    guard bytes.count == 8 else { return 0 }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// Adds 1 to a counter; the caller holds the lock.
  package func advance(_ counter: Counter) throws(StorageError) {
    try put(try count(counter) &+ 1, counter)
  }

  /// Reserves the space of the counters, so that a full disk stops no opener from advancing them.
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
