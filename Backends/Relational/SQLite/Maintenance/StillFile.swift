import CSQLite
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file of a database while it holds exactly what a transaction sees, so that it can be read in large pieces.
///
/// SQLite copies one page after the other, which takes more than twice as long as the system's own copying. (`sqlite3_backup_step`)
///
/// When nothing is in the log of a transaction that reads, its lock keeps everybody from moving anything from there into the file until it ends; with a
/// rollback journal it keeps everybody from writing. The file is read by SQLite's own descriptor: to close another one would let go of all locks.
struct StillFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods
  private let pageSize: Int
  private let pageCount: Int

  /// The longest piece that is read at once; with 1 MiB every third copy took three times as long, as the system looks for whole stretches of memory.
  private static let pieceByteCount = 1 << 18

  /// - Returns: `nil` in memory, and where something is in the log.
  init?(seenBy db: borrowing Connection) throws(StorageError) {
    // The first look settles which state is read, and takes the lock.
    _ = try db.integer("SELECT count(*) FROM sqlite_schema")
    guard let name = sqlite3_db_filename(db.raw, "main"), name.pointee != 0 else { return nil }
    var log = stat()
    // Not by a path of ours: it may lead through a folder whose name is not UTF-8. (`sqlite3_filename_wal`)
    if stat(sqlite3_filename_wal(name), &log) == 0, log.st_size > 0 { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(db.raw, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
    self.file = file
    self.methods = methods.pointee
    pageSize = try db.pageSize()
    pageCount = Int(try db.integer("PRAGMA page_count") ?? 0)
    guard pageSize > 0, pageCount > 0 else { return nil }
  }

  /// Copies it to an empty file, and tells of the progress as SQLite's copying does.
  ///
  /// The transaction must still be the same.
  func copy(
    to path: String, _ pagesAtATime: Int, _ progress: (BackupProgress) throws -> Void
  ) throws {
    let target = try Descriptor(opening: path, O_WRONLY)
    let most = max(1, Self.pieceByteCount / pageSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: most * pageSize, alignment: MemoryLayout<UInt64>.alignment)
    defer { buffer.deallocate() }
    var done = 0
    while done < pageCount {
      let end = done + min(pagesAtATime, pageCount - done)
      while done < end {
        let count = min(most, end - done)
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count * pageSize))
        try read(piece, at: done * pageSize)
        do throws(StorageError) {
          try target.write(UnsafeRawBufferPointer(piece))
        } catch {
          throw error.naming(backend: SQLiteBackend.name)
        }
        done += count
      }
      try progress(BackupProgress(remainingPages: pageCount - done, totalPages: pageCount))
    }
  }

  private func read(
    _ piece: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StorageError) {
    let code =
      methods.xRead?(file, piece.baseAddress, Int32(clamping: piece.count), Int64(offset))
      ?? SQLITE_IOERR
    guard code != SQLITE_OK else { return }
    // A file that ends before its last page is damaged.
    let isShort = code == SQLITE_IOERR | (2 << 8)
    throw .sqlite(
      "copy the database", SQLiteError(isShort ? SQLITE_CORRUPT : code, on: nil, sql: nil))
  }
}
