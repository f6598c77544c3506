import UndercroftCore
import UndercroftFileSystem

/// A reader of the transactions in the write-ahead log beside a database.
struct LogReader: ~Copyable {
  let header: LogHeader
  private let log: Descriptor

  /// A transaction in a log, or the frames at the end of the log that no commit follows.
  struct Transaction {
    /// The offset of the first frame in bytes.
    let offset: Int
    /// The size of all frames in bytes.
    let byteCount: Int
    /// The pages that the transaction has written.
    let pages: Set<UInt32>
    /// The number of frames of the log up to the last frame of the transaction.
    let endFrame: UInt32
    /// The size of the database in pages after the transaction, or 0 if it is not committed.
    let pageCount: UInt32

    var isCommitted: Bool { pageCount != 0 }
  }

  /// Opens the log of the database at `path`, which must not be a symbolic link.
  ///
  /// Returns `nil` if there is no log, or if the log is empty.
  ///
  /// The log has no POSIX locks, so closing the descriptor drops no lock of this process.
  init?(_ path: String) throws(StorageError) {
    guard DatabaseFile.hasLog(path) else { return nil }
    let log = try Descriptor(regularFile: path + "-wal", O_RDONLY)
    guard let header = try LogHeader(log.read(LogHeader.byteCount, at: 0), of: path + "-wal")
    else { return nil }
    self.header = header
    self.log = log
  }

  /// Passes the transactions to `body` in the order in which they were committed, until `body`
  /// returns `false`.
  ///
  /// The frames of a transaction that is being written, or that was rolled back, are passed last.
  func forEachTransaction(_ body: (Transaction) throws -> Bool) throws {
    var pages: Set<UInt32> = []
    var first: UInt32 = 0
    var needsMore = true
    var failure: (any Error)?
    func pass(through frame: UInt32, pageCount: UInt32) {
      let (start, end) = (header.offset(ofFrame: first), header.offset(ofFrame: frame))
      do {
        needsMore = try body(
          Transaction(
            offset: start, byteCount: end - start, pages: pages, endFrame: frame,
            pageCount: pageCount))
      } catch {
        failure = error
      }
      (pages, first) = ([], frame)
    }
    var end: UInt32 = 0
    try header.forEachFrame(of: log, after: LogPosition(startOf: header)) { frame, position in
      // A scan cannot be interrupted; the remaining frames are only verified.
      guard needsMore, failure == nil else { return }
      pages.insert(frame.page)
      end = position.frameCount
      if frame.isCommit { pass(through: position.frameCount, pageCount: frame.pageCount) }
    }
    if !pages.isEmpty, needsMore, failure == nil { pass(through: end, pageCount: 0) }
    if let failure { throw failure }
  }
}
