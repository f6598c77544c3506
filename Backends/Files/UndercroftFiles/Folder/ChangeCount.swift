import UndercroftFileSystem

/// A counter that changes whenever values that were read from a folder may be outdated.
struct ChangeCount: Sendable {
  /// The number of writes, successful or failed, that other instances of the store have ended.
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
  ///   - own: the number of ended writes that are not counted: those of this instance of the store,
  ///     and those before the instance was opened.
  ///   - isWriting: whether this instance is writing now. If
  ///     `true`, an unfinished write in `counts` is not counted.
  mutating func update(to counts: FileLock.WriteCounts, own: UInt64 = 0, isWriting: Bool = false) {
    ended = counts.ended &- own
    if counts.isUnfinished && !isWriting { unfinished &+= 1 }
  }
}
