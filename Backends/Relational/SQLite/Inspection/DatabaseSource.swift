import CSQLite
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bytes of a database file, read through SQLite's own file object.
///
/// A descriptor of our own would be dangerous where this process has the database open as well: closing it would drop the locks of
/// that connection. SQLite keeps such descriptors until nobody needs the locks. Opening reads nothing and takes no lock.
struct DatabaseSource: ~Copyable {
  let handle: SQLiteHandle
  let header: Data

  init(_ path: String) throws(StorageError) {
    let handle = try SQLiteHandle(path, .readOnly)
    header = try Self.read(handle.raw, 0, 100)
    self.handle = handle
  }

  /// Whether the file begins as every database does. ("SQLite format 3", the SQLite file format, section 1.3)
  var isDatabase: Bool { Self.isDatabase(header) }

  static func isDatabase(_ header: Data) -> Bool {
    header.count == 100 && header.starts(with: Array("SQLite format 3\0".utf8))
  }

  /// Returns up to `count` bytes from `offset` on; fewer only at the end.
  func read(at offset: Int, _ count: Int) throws(StorageError) -> Data {
    try Self.read(handle.raw, offset, count)
  }

  /// Whether the database says that its journal is a write-ahead log: the read version is 2.
  var usesLog: Bool { header.dropFirst(19).first == 2 }

  /// Writes all bytes of the file to a new one.
  func copy(to file: borrowing Descriptor) throws(StorageError) {
    var offset = 0
    while true {
      let chunk = try Self.read(handle.raw, offset, 1 << 20)
      if chunk.isEmpty { return }
      try file.write(chunk)
      offset += chunk.count
    }
  }

  /// Returns up to `count` bytes; fewer only at the end. (`SQLITE_FCNTL_FILE_POINTER`, `xRead`)
  private static func read(
    _ connection: OpaquePointer, _ offset: Int, _ count: Int
  ) throws(StorageError) -> Data {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    var size: sqlite3_int64 = 0
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee,
      let read = methods.xRead, let sizeOf = methods.xFileSize
    else { throw failure(code == SQLITE_OK ? SQLITE_IOERR : code) }
    code = sizeOf(file, &size)
    guard code == SQLITE_OK else { throw failure(code) }
    let length = max(0, min(count, Int(size) - offset))
    if length == 0 { return Data() }
    var bytes = Data(count: length)
    code = bytes.withUnsafeMutableBytes {
      read(file, $0.baseAddress, Int32(clamping: length), sqlite3_int64(offset))
    }
    // A file that became shorter meanwhile (SQLITE_IOERR_SHORT_READ) reads as zeros, which the caller's check of the copy finds out.
    guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else { throw failure(code) }
    return bytes
  }

  private static func failure(_ code: Int32) -> StorageError {
    .sqlite("read the file", SQLiteError(code, on: nil, sql: nil))
  }
}
