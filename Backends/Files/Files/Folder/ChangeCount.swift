import UndercroftFileSystem

/// A number that differs whenever what was read from a folder before may be outdated.
struct ChangeCount: Sendable {
  /// How many writes have ended, less those of this opener.
  private(set) var ended: UInt64 = 0
  /// How often a write of another opener was found unfinished.
  ///
  /// The changes of such a write may become visible at any moment. Its writer may have been killed,
  /// so that no other number announces them.
  private var unfinished: UInt64 = 0

  /// The number that is compared.
  var value: UInt64 { ended &+ unfinished }

  /// Updates the number from the counters of the lock file.
  ///
  /// - Parameters:
  ///   - own: how many of the ended writes are those of this opener.
  ///   - isWriting: whether an unfinished write is this opener's own, which does not count.
  mutating func update(to counts: FileLock.WriteCounts, own: UInt64 = 0, isWriting: Bool = false) {
    ended = counts.ended &- own
    if counts.isUnfinished && !isWriting { unfinished &+= 1 }
  }
}
