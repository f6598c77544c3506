import UndercroftCore
import UndercroftFileSystem

/// The pages that the committed transactions of a write-ahead log contain.
///
/// The snapshot needs 8 bytes of memory for each page, and while it is created, up to about 32
/// bytes for each page.
struct LogSnapshot {
  /// The size of the database in pages after the last committed transaction.
  private(set) var pageCount: UInt32 = 0
  /// The position after the last committed transaction.
  private(set) var end: LogPosition
  /// The indices of the first and last frame of the last committed transaction.
  private(set) var lastTransaction: ClosedRange<UInt32> = 0...0
  /// The frames, sorted by page, with the number of the page in the upper half and the index of the
  /// frame in the lower half.
  private var frames: [UInt64] = []

  /// Reads all frames of a log, or returns `nil` if the log contains no committed transaction.
  ///
  /// Frames after the last committed transaction belong to a transaction that is not committed, or
  /// that was rolled back.
  init?(of file: borrowing Descriptor, _ header: LogHeader) throws(StorageError) {
    let start = LogPosition(startOf: header)
    var snapshot = LogSnapshot(end: start)
    var committedCount = 0
    var compactionLimit = 1 << 16
    try header.forEachFrame(of: file, after: start) { frame, position in
      snapshot.frames.append(UInt64(frame.page) << 32 | UInt64(frame.index))
      guard frame.isCommit else { return }
      snapshot.pageCount = frame.pageCount
      // The previous transaction ended at `end`.
      snapshot.lastTransaction = snapshot.end.frameCount...frame.index
      snapshot.end = position
      committedCount = snapshot.frames.count
      // A log can contain the same pages many times. The memory must not grow with such a log.
      if committedCount > compactionLimit {
        snapshot.compact()
        committedCount = snapshot.frames.count
        compactionLimit = max(compactionLimit, 2 * committedCount)
      }
    }
    guard committedCount > 0 else { return nil }
    snapshot.frames.removeLast(snapshot.frames.count - committedCount)
    snapshot.compact()
    self = snapshot
  }

  private init(end: LogPosition) { self.end = end }

  /// Returns the index of the last frame that contains `page`, or `nil` if the log does not contain
  /// the page.
  func frame(of page: UInt32) -> UInt32? {
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = low + (high - low) / 2
      if UInt32(truncatingIfNeeded: frames[middle] >> 32) < page {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < frames.count, frames[low] >> 32 == UInt64(page) else { return nil }
    return UInt32(truncatingIfNeeded: frames[low])
  }

  /// Sorts the frames by page, and removes all but the last frame of each page.
  private mutating func compact() {
    frames.sort()
    var count = 0
    // An iteration over the array itself would copy the array at the first assignment.
    for index in frames.indices {
      let frame = frames[index]
      if count > 0, frames[count - 1] >> 32 == frame >> 32 { count -= 1 }
      frames[count] = frame
      count += 1
    }
    frames.removeLast(frames.count - count)
  }
}
