import CSQLite
import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A read-only view of a database file together with the committed transactions of its write-ahead
/// log, as one plain database without a log.
///
/// SQLite reads the view through ``LogOverlayVFS``. No file is created, written or locked, so the
/// view works in a folder without write permission and while another process writes the database.
final class LogOverlay: Sendable {
  let path: String
  // The log stays open, so that its inode number cannot be reused for another log. The log has no
  // POSIX locks: SQLite locks the database file and the index (`-shm`). Closing a separate
  // descriptor of the log therefore drops no lock of this process.
  let log: Descriptor
  let headerBytes: Data
  let header: LogHeader?
  let snapshot: LogSnapshot?
  /// The headers of the first and last frame of the last transaction in the snapshot.
  let frameHeaders: [Data]
  let database: DatabaseFileState
  /// The pages that were read from the database file instead of from the log.
  let pagesFromDatabase = Mutex(LogPageSet())

  /// Reads the log beside the database at `path`, which must not be a symbolic link.
  ///
  /// A log whose header is damaged is treated as empty, as SQLite does.
  ///
  /// - Throws: an error if the log is missing, cannot be read, or has an unknown version.
  init(_ path: String) throws(StorageError) {
    self.path = path
    do throws(StorageError) {
      // The order is important: see `isDatabaseUnwritten`.
      let database = try DatabaseFileState(path)
      let log = try Descriptor(regularFile: path + "-wal", O_RDONLY)
      let headerBytes = try log.read(LogHeader.byteCount, at: 0)
      // SQLite ignores the log beside an empty file. (`pagerOpenWalIfPresent`)
      let header =
        database.byteCount == 0 ? nil : try LogHeader(headerBytes, of: path + "-wal")
      let snapshot = try header.flatMap { (header) throws(StorageError) in
        try LogSnapshot(of: log, header)
      }
      frameHeaders = try Self.frameHeaders(of: snapshot, header, log)
      self.database = database
      self.headerBytes = headerBytes
      self.header = header
      self.snapshot = snapshot
      self.log = log
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  static func frameHeaders(
    of snapshot: LogSnapshot?, _ header: LogHeader?, _ log: borrowing Descriptor
  ) throws(StorageError) -> [Data] {
    guard let snapshot, let header else { return [] }
    var headers: [Data] = []
    for index in [snapshot.lastTransaction.lowerBound, snapshot.lastTransaction.upperBound] {
      headers.append(
        try log.read(LogHeader.frameHeaderByteCount, at: header.offset(ofFrame: index)))
    }
    return headers
  }
}

extension LogOverlay {
  /// The size of the presented database in bytes, or `nil` if it is the size of the database file.
  var byteCount: Int64? {
    guard let snapshot, let header else { return nil }
    return Int64(snapshot.pageCount) * Int64(header.pageSize)
  }

  /// Fills `buffer` with the bytes of the presented database from `offset`.
  ///
  /// - Parameter readDatabase: a closure that fills a buffer with bytes of the database file, as
  ///   `xRead` does.
  /// - Returns: a result code of SQLite. After `SQLITE_IOERR_SHORT_READ`, the missing bytes are
  ///   zeros.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int,
    from readDatabase: (UnsafeMutableRawBufferPointer, Int) -> Int32
  ) -> Int32 {
    // Without a valid header, no page number can be computed, and none is needed.
    guard let header else { return readDatabase(buffer, offset) }
    var result = SQLITE_OK
    var done = 0
    // SQLite reads whole pages, and parts of the first page before it knows the size of a page.
    while done < buffer.count {
      let (index, start) = (offset + done).quotientAndRemainder(dividingBy: header.pageSize)
      var count = min(header.pageSize - start, buffer.count - done)
      // SQLite stores page numbers in 32 bits, so no page has a larger number.
      guard let page = UInt32(exactly: index + 1) else { return SQLITE_IOERR | (1 << 8) }
      let code: Int32
      if let frame = snapshot?.frame(of: page) {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
        code = readFrame(frame, header, into: part, from: start)
      } else {
        // A search reads many pages at a time, of which few are in the log.
        var last = page
        while done + count < buffer.count, last < .max, snapshot?.frame(of: last + 1) == nil {
          last += 1
          count += min(header.pageSize, buffer.count - done - count)
        }
        pagesFromDatabase.withLock { pages in
          for number in page...last { pages.insert(number) }
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
        code = readDatabase(part, offset + done)
      }
      guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else { return code }
      if code != SQLITE_OK { result = code }
      done += count
    }
    return result
  }

  private func readFrame(
    _ frame: UInt32, _ header: LogHeader, into buffer: UnsafeMutableRawBufferPointer,
    from start: Int
  ) -> Int32 {
    let offset = header.offset(ofFrame: frame) + LogHeader.frameHeaderByteCount + start
    // If another process has truncated the log, the bytes are missing. They must not be presented
    // as zeros, which `SQLITE_IOERR_SHORT_READ` would mean.
    guard let count = try? log.read(into: buffer, at: offset), count == buffer.count else {
      return SQLITE_IOERR | (1 << 8)
    }
    return SQLITE_OK
  }
}
