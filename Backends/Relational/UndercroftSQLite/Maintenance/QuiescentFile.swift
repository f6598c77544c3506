import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A database file that contains exactly the state that a transaction sees, so that the file can be
/// copied in large pieces.
///
/// `sqlite3_backup_step` copies page by page, and needs more than twice as much time as a plain
/// file copy.
///
/// A read transaction that begins while the log is empty prevents checkpoints from changing the
/// file until the transaction ends. With a rollback journal, the transaction prevents writes. The
/// file is read through SQLite's own descriptor, because closing another descriptor would drop all
/// locks of this process on the file.
struct QuiescentFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods
  private let pageSize: Int
  private let pageCount: Int
  /// The path of the file, for error messages.
  private let path: String

  /// The size in bytes of the pieces in which the file is read.
  ///
  /// With 1 MiB every third copy took three times as long,
  /// because the system searched for contiguous memory.
  private static let pieceByteCount = 1 << 18

  /// Creates a value for the file of the main database of `db`.
  ///
  /// - Returns: `nil` for an in-memory database, if the log is not empty, and if the database has
  ///   no pages.
  init?(seenBy db: Connection) throws(StorageError) {
    // The first statement determines which state the transaction reads, and acquires the lock.
    _ = try db.integer("SELECT count(*) FROM sqlite_schema")
    let raw = try db.state.raw
    guard let name = sqlite3_db_filename(raw, "main"), name.pointee != 0 else { return nil }
    var log = stat()
    // SQLite's path of the log is used, because a folder of the path may have a name that is not
    // UTF-8. (`sqlite3_filename_wal`)
    if stat(sqlite3_filename_wal(name), &log) == 0, log.st_size > 0 { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(raw, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
    self.file = file
    self.methods = methods.pointee
    path = String(cString: name)
    pageSize = try db.pageSize()
    pageCount = Int(try db.integer("PRAGMA page_count") ?? 0)
    guard pageSize > 0, pageCount > 0 else { return nil }
  }

  /// Copies the file to the empty file at `path`, and reports the progress as a SQLite backup does.
  ///
  /// The transaction for which this value was created must still be open.
  func copy(
    to path: String, _ pagesAtATime: Int, _ progress: (Database.BackupProgress) throws -> Void
  ) throws {
    let target = try Descriptor(opening: path, O_WRONLY)
    let maximumPageCount = max(1, Self.pieceByteCount / pageSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: maximumPageCount * pageSize, alignment: MemoryLayout<UInt64>.alignment)
    defer { buffer.deallocate() }
    var done = 0
    while done < pageCount {
      let end = done + min(pagesAtATime, pageCount - done)
      while done < end {
        let count = min(maximumPageCount, end - done)
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count * pageSize))
        try read(piece, at: done * pageSize)
        do throws(StorageError) {
          try target.write(UnsafeRawBufferPointer(piece))
        } catch {
          throw error.naming(backend: SQLiteBackend.name)
        }
        done += count
      }
      try progress(Database.BackupProgress(remainingPages: pageCount - done, totalPages: pageCount))
    }
  }

  private func read(
    _ piece: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StorageError) {
    let code =
      methods.xRead?(file, piece.baseAddress, Int32(clamping: piece.count), Int64(offset))
      ?? SQLITE_IOERR
    guard code != SQLITE_OK else { return }
    // The file ends before its last page, so it is damaged.
    let isShort = code == SQLITE_IOERR | (2 << 8)
    // The error reads `errno`, so it is created before any other call.
    let error = SQLiteError(isShort ? SQLITE_CORRUPT : code, on: nil, sql: nil)
    throw .sqlite("copy \(quoted(path))", error)
  }
}
