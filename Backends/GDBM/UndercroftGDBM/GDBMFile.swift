import CGDBM
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// An open GDBM file, which is closed exactly once.
///
/// The file is never mapped into memory, because a process that reads a mapped file is killed if
/// another process truncates it.
struct GDBMFile: ~Copyable {
  /// The name and version of the library, such as "GDBM 1.23.0".
  static var library: String {
    let (major, minor, patch) = gdbm_version_number
    return "GDBM \(major).\(minor).\(patch)"
  }

  private let raw: GDBM_FILE
  private let path: String

  /// Opens a snapshot file for reading, without GDBM's lock, because the content of a snapshot file
  /// never changes.
  init(reading path: String) throws(StorageError) {
    let flags = GDBM_READER | GDBM_NOLOCK | GDBM_NOMMAP | GDBM_CLOEXEC | GDBM_XVERIFY
    errno = 0
    guard let raw = gdbm_open(path, 0, flags, 0o600, nil) else { throw .gdbm("open", path) }
    self.raw = raw
    self.path = path
  }

  /// Writes a new, empty database to the file at `path`.
  ///
  /// The mode of an existing file does not change.
  init(writingNew path: String) throws(StorageError) {
    let flags = GDBM_NEWDB | GDBM_NOLOCK | GDBM_NOMMAP | GDBM_CLOEXEC
    errno = 0
    guard let raw = gdbm_open(path, 0, flags, 0o600, nil) else {
      throw .writingGDBM(path, number: errno)
    }
    self.raw = raw
    self.path = path
  }

  deinit { gdbm_close(raw) }

  /// Throws if a GDBM call that writes a new file failed.
  ///
  /// GDBM may return success although the last write failed, and then rejects the next call without
  /// the error number of the system. After every call, this function therefore also checks whether
  /// GDBM reports that the file needs recovery. (`gdbm_needs_recovery`)
  ///
  /// - Parameter result: the result of the GDBM call; 0 means success.
  func check(_ result: Int32 = 0) throws(StorageError) {
    guard result != 0 || gdbm_needs_recovery(raw) != 0 else { return }
    throw .writingGDBM(path, number: gdbm_last_syserr(raw))
  }

  /// Adds or replaces one entry of a new file. (`gdbm_store`)
  func store(_ name: String, _ value: Data) throws(StorageError) {
    guard let count = Int32(exactly: value.count) else {
      throw StorageError(
        .tooLarge,
        """
        cannot store \(value.count) bytes in the entry \(quoted(name)) of \(quoted(path)): the \
        limit of GDBM for one value is \(Int32.max) bytes
        """,
        suggestion: "save large values under a key of the kind .blob, routed to .files(in:)")
    }
    var name = name
    let result = name.withUTF8 { name in
      value.withUnsafeBytes { value in
        gdbm_store(
          raw, datum(UnsafeRawBufferPointer(name), Int32(clamping: name.count)),
          datum(value, count), GDBM_REPLACE)
      }
    }
    try check(result)
  }

  /// Calls `body` with the key and value of each entry, in the order in which the file stores the
  /// entries. (`gdbm_firstkey`, `gdbm_nextkey`)
  func forEach(
    _ body: (UnsafeRawBufferPointer, Data) throws(StorageError) -> Void
  ) throws(StorageError) {
    var key = gdbm_firstkey(raw)
    while let start = key.dptr {
      defer { free(start) }
      let value = gdbm_fetch(raw, key)
      guard let bytes = value.dptr else { throw .gdbm("read", path) }
      defer { free(bytes) }
      try body(
        UnsafeRawBufferPointer(start: start, count: Int(max(0, key.dsize))),
        Data(bytes: bytes, count: Int(max(0, value.dsize))))
      key = gdbm_nextkey(raw, key)
    }
    guard undercroft_gdbm_errno() == GDBM_ITEM_NOT_FOUND else { throw .gdbm("read", path) }
  }

  /// Returns the size of the open file in bytes. (`fstat`)
  func size() throws(StorageError) -> Int {
    var status = stat()
    guard fstat(gdbm_fdesc(raw), &status) == 0 else {
      throw .system("read the attributes of", path)
    }
    return Int(status.st_size)
  }

  /// Returns the number of entries that the file declares. (`gdbm_count`)
  ///
  /// In some damaged files, this number is wrong.
  func count() throws(StorageError) -> UInt64 {
    var count: gdbm_count_t = 0
    guard gdbm_count(raw, &count) == 0 else { throw .gdbm("count the entries of", path) }
    return count
  }

  /// Writes all data that GDBM buffers to the new file. (`gdbm_sync`)
  func synchronize() throws(StorageError) {
    try check(gdbm_sync(raw))
  }

  /// Returns a GDBM key or value that points to `bytes`.
  ///
  /// GDBM's type has a mutable pointer, but GDBM only reads keys and values.
  private func datum(_ bytes: UnsafeRawBufferPointer, _ count: Int32) -> datum {
    CGDBM.datum(
      dptr: UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)), dsize: count)
  }
}
