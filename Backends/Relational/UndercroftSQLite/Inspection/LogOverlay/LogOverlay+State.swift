import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension LogOverlay {
  /// The relation between what was read and the present files.
  enum State {
    /// The bytes that were read are consistent, and they are the present state of the database.
    case current
    /// The bytes that were read are the consistent state of the database at an earlier instant.
    case outdated
    /// The bytes that were read may belong to different states of the database.
    case inconsistent
  }

  // Why reading without a lock can be proved consistent afterwards:
  //
  // A transaction in WAL mode only appends frames to the log. A checkpoint copies committed frames
  // into the database file, and nothing else writes to the file. After a checkpoint of all frames,
  // the next writer may restart the log: it first writes a header with other salts, and then
  // overwrites the frames from the beginning.
  //
  // - The pages in the snapshot are read from the log. They are unchanged if the header is
  //   unchanged, because a restart changes the header before it changes a frame.
  // - The other pages are read from the file. Their last committed frames before the snapshot, if
  //   there were any, had been checkpointed before the log was restarted for the last time. So
  //   the file contains the correct bytes until a checkpoint copies a frame after the snapshot.
  //   That is excluded in either of two ways: the file was not written at all since before the
  //   header was read; or the transactions that were committed after the snapshot contain none of
  //   the pages that were read from the file, and they do not shorten the file so far that it would
  //   lose one of these pages. Frames that are only appended are harmless in the first case, and
  //   checkpoints of other pages are harmless in the second case.
  //
  // The log is scanned before its header is compared: if the log was restarted during the scan, the
  // scan may miss frames, and the comparison then shows the restart. Nothing was read after the
  // scan, so a restart after the comparison is harmless.

  /// Compares the files with their state when the overlay was created.
  ///
  /// The result applies to everything that was read before the call.
  func state() -> State {
    guard let growth = try? growth() else { return .inconsistent }
    let isUnwritten = isDatabaseUnwritten
    guard isSameLog else {
      // Nothing was read from the log.
      return snapshot == nil && isUnwritten ? .outdated : .inconsistent
    }
    if !isUnwritten, growth.affectsPagesFromDatabase { return .inconsistent }
    return growth.hasTransactions ? .outdated : .current
  }

  /// Whether the database file was certainly not written since before the log was read.
  ///
  /// The state of the file must be recorded before the log is read. A checkpoint between the two
  /// could otherwise write frames that were committed after the log was read.
  private var isDatabaseUnwritten: Bool {
    guard let now = try? DatabaseFileState(path) else { return false }
    return database.isUnwritten(until: now)
  }

  /// Whether the same log is still at its path, and contains the frames of the snapshot.
  private var isSameLog: Bool {
    guard (try? log.isFile(at: path + "-wal")) == true,
      (try? log.read(LogHeader.byteCount, at: 0)) == headerBytes
    else { return false }
    // A commit can fail after its last frame was written. The next transaction then overwrites
    // these frames without a new header, beginning with the first frame of the failed transaction.
    return (try? Self.frameHeaders(of: snapshot, header, log)) == frameHeaders
  }

  private struct Growth {
    /// Whether transactions were committed after the snapshot.
    var hasTransactions = false
    /// Whether these transactions changed or removed a page that was read from the database file.
    var affectsPagesFromDatabase = false
  }

  private func growth() throws(StorageError) -> Growth {
    var growth = Growth()
    guard let header else { return growth }
    let pages = pagesFromDatabase.withLock { $0 }
    var isAffected = false
    try header.forEachFrame(of: log, after: snapshot?.end ?? LogPosition(startOf: header)) {
      frame, _ in
      isAffected = isAffected || pages.contains(frame.page)
      // Frames of a transaction that is not committed are never checkpointed.
      guard frame.isCommit else { return }
      growth.hasTransactions = true
      if isAffected || frame.pageCount < pages.maximum {
        growth.affectsPagesFromDatabase = true
      }
    }
    return growth
  }
}
