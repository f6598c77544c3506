import UndercroftFileSystem

/// A counter that changes whenever values that were read from a folder may be outdated.
struct ChangeCount: Sendable {
  /// The number of ended writes that other instances of the store made.
  private(set) var ended: UInt64 = 0
  /// The number of times that a write of another instance of the store was found unfinished.
  ///
  /// The changes of such a write may become visible at any time. Its writer
  /// may have been killed, and then no other counter reports these changes.
  private var unfinished: UInt64 = 0

  /// The sum of ``ended`` and ``unfinished``, which callers compare with an earlier sum.
  var value: UInt64 { ended &+ unfinished }

  /// Updates this counter from the counters of the lock file.
  ///
  /// - Parameters:
  ///   - own: the number of the ended writes that this instance of the store made, which are not
  ///     counted.
  ///   - isWriting: whether this instance is writing now, so that the unfinished write is not
  ///     counted.
  mutating func update(to counts: FileLock.WriteCounts, own: UInt64 = 0, isWriting: Bool = false) {
    ended = counts.ended &- own
    if counts.isUnfinished && !isWriting { unfinished &+= 1 }
  }
}
