import CSQLite
import UndercroftCore

/// The pages of the database that a connection shows, read through SQLite's file object.
///
/// The file object must present all pages, which is not the case if SQLite itself reads a
/// write-ahead log. A read transaction must be open, so that the pages belong to one state of the
/// database.
struct DatabasePages {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let readBytes:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_file>?, UnsafeMutableRawPointer?, Int32, sqlite3_int64
    ) -> Int32
  let pageSize: Int
  /// The number of bytes of each page that contain cells.
  let usableSize: Int
  let count: UInt32
  /// Whether texts are stored in UTF-8.
  let isUTF8: Bool

  /// Returns `nil` if the header of the database cannot be read or is not valid.
  init?(of connection: Connection) {
    guard let state = connection.stateIfValid, let file = DatabaseSource.file(of: state.raw),
      let methods = file.pointee.pMethods?.pointee, let read = methods.xRead
    else { return nil }
    var header = [UInt8](repeating: 0, count: 100)
    var size: sqlite3_int64 = 0
    guard read(file, &header, Int32(header.count), 0) == SQLITE_OK,
      methods.xFileSize?(file, &size) == SQLITE_OK
    else { return nil }
    // The header stores 65,536 as 1. (file format, section 1.3.2)
    let storedSize = Int(header[16]) << 8 | Int(header[17])
    pageSize = storedSize == 1 ? 65_536 : storedSize
    usableSize = pageSize - Int(header[20])
    guard (512...65_536).contains(pageSize), usableSize >= 480,
      let count = UInt32(exactly: Int(size) / pageSize)
    else { return nil }
    self.count = count
    isUTF8 = header[59] == 1
    self.file = file
    readBytes = read
  }

  /// Reads consecutive pages into `buffer`, which must have space for them.
  ///
  /// - Returns: whether all bytes were read.
  func read(_ number: UInt32, count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard number > 0, count > 0, Int(number) + count - 1 <= Int(self.count),
      buffer.count >= count * pageSize
    else { return false }
    let offset = sqlite3_int64(number - 1) * sqlite3_int64(pageSize)
    return readBytes(file, buffer.baseAddress, Int32(count * pageSize), offset) == SQLITE_OK
  }
}
