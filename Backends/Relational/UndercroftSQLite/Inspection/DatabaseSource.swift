import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The bytes of a database file, read through SQLite's file object.
///
/// A separate file descriptor would be dangerous if this process also has the database open.
/// Closing any descriptor of a file drops all locks that the process has on that file (POSIX
/// advisory locks), so the other connection would lose its locks. SQLite defers closing its
/// descriptors until no connection needs the locks. Neither the initializer nor a read acquires a
/// lock.
struct DatabaseSource: ~Copyable {
  let handle: SQLiteHandle
  let header: Data
  private let path: String

  init(_ path: String) throws(StorageError) {
    let handle = try SQLiteHandle(path, .readOnly)
    header = try Self.read(handle.raw, path, 0, 100)
    self.handle = handle
    self.path = path
  }

  /// Whether the file begins with the header of a database.
  /// ("SQLite format 3", the SQLite file format, section 1.3)
  var isDatabase: Bool { Self.isDatabase(header) }

  static func isDatabase(_ header: Data) -> Bool {
    header.count >= 100 && header.starts(with: Array("SQLite format 3\0".utf8))
  }

  /// Returns up to `count` bytes of the file, beginning at `offset`.
  ///
  /// Returns fewer bytes only at the end of the file.
  func read(at offset: Int, _ count: Int) throws(StorageError) -> Data {
    try Self.read(handle.raw, path, offset, count)
  }

  /// Whether the journal is a write-ahead log, which is the case if the read version in the header
  /// is 2.
  var usesLog: Bool { Self.usesLog(header) }

  static func usesLog(_ header: Data) -> Bool { header.dropFirst(19).first == 2 }

  /// Acquires a shared lock on the database file, which is held until the file is closed.
  /// (`xLock`)
  ///
  /// - Throws: ``StorageError/Code/busy`` if another process holds the exclusive lock for five
  ///   seconds.
  func lock() throws(StorageError) {
    guard let file = Self.file(of: handle.raw),
      let lock = file.pointee.pMethods?.pointee.xLock
    else { throw Self.failure(path, SQLITE_IOERR) }
    for _ in 0..<500 {
      let code = lock(file, SQLITE_LOCK_SHARED)
      if code == SQLITE_OK { return }
      guard code & 0xff == SQLITE_BUSY else { throw Self.failure(path, code) }
      usleep(10_000)
    }
    throw Self.failure(path, SQLITE_BUSY).asBusy
  }

  /// Copies all bytes of the database file to `file`, which must be empty.
  func copy(to file: borrowing Descriptor) throws(StorageError) {
    var offset = 0
    while true {
      let chunk = try Self.read(handle.raw, path, offset, 1 << 20)
      if chunk.isEmpty { return }
      try file.write(chunk)
      offset += chunk.count
    }
  }

  /// Returns up to `count` bytes of the file, beginning at `offset`. (`xRead`)
  ///
  /// Returns fewer bytes only at the end of the file.
  private static func read(
    _ connection: OpaquePointer, _ path: String, _ offset: Int, _ count: Int
  ) throws(StorageError) -> Data {
    var size: sqlite3_int64 = 0
    guard let file = file(of: connection), let methods = file.pointee.pMethods?.pointee,
      let read = methods.xRead, let sizeOf = methods.xFileSize
    else { throw failure(path, SQLITE_IOERR) }
    var code = sizeOf(file, &size)
    guard code == SQLITE_OK else { throw failure(path, code) }
    let length = max(0, min(count, Int(size) - offset))
    if length == 0 { return Data() }
    var bytes = Data(count: length)
    code = bytes.withUnsafeMutableBytes {
      read(file, $0.baseAddress, Int32(clamping: length), sqlite3_int64(offset))
    }
    // If the file was truncated since `xFileSize` (`SQLITE_IOERR_SHORT_READ`), the missing bytes
    // are zeros. The caller's check of the copy detects this.
    guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else { throw failure(path, code) }
    return bytes
  }

  /// Returns SQLite's file object of a connection's main database, or `nil` if SQLite provides
  /// none. (`SQLITE_FCNTL_FILE_POINTER`)
  static func file(of connection: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK ? file : nil
  }

  private static func failure(_ path: String, _ code: Int32) -> StorageError {
    // The error reads `errno`, so it is created before any other call.
    let error = SQLiteError(code, on: nil, sql: nil)
    return .sqlite("read \(quoted(path))", error)
  }
}
