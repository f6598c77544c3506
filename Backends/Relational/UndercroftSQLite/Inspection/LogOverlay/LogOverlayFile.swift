import CSQLite

/// The methods of the file object that SQLite uses for a database with a ``LogOverlay``.
/// (`sqlite3_io_methods`)
///
/// SQLite allocates the memory of the file object. It contains a `sqlite3_file` with the pointer to
/// the methods, the pointer to the overlay, and the file object of the base VFS:
///
///     0               8          16
///     | sqlite3_file  | overlay  | file object of the base VFS …
///
/// The database file is opened with the base VFS and not with a separate descriptor. Closing a
/// separate descriptor would drop all locks that this process has on the file (POSIX advisory
/// locks). The base VFS counts the locks of all connections for each inode, and defers closing its
/// descriptors until no connection has a lock. (`unixInodeInfo`)
enum LogOverlayFile {
  private static let overlayOffset = MemoryLayout<sqlite3_file>.stride
  private static let baseOffset = 16

  /// Returns the size in bytes of a file object above a file object of the base VFS.
  static func byteCount(above base: UnsafePointer<sqlite3_vfs>) -> Int32 {
    let (count, isOverflow) = base.pointee.szOsFile.addingReportingOverflow(Int32(baseOffset))
    return isOverflow ? .max : count
  }

  /// Opens the database file with the base VFS, and initializes the file object.
  static func open(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ name: UnsafePointer<CChar>,
    with base: UnsafeMutablePointer<sqlite3_vfs>, _ overlay: LogOverlay
  ) -> Int32 {
    let baseFile = baseFile(of: file)
    baseFile.pointee.pMethods = nil
    guard let open = base.pointee.xOpen else { return SQLITE_CANTOPEN }
    let code = open(base, name, baseFile, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nil)
    guard code == SQLITE_OK else {
      // A file object with methods must be closed even if it could not be opened.
      _ = baseFile.pointee.pMethods?.pointee.xClose?(baseFile)
      return code
    }
    UnsafeMutableRawPointer(file).storeBytes(
      of: Unmanaged.passRetained(overlay).toOpaque(), toByteOffset: overlayOffset,
      as: UnsafeMutableRawPointer.self)
    // Each file has its own table, which is deallocated with the file.
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: methods)
    file.pointee.pMethods = UnsafePointer(table)
    return SQLITE_OK
  }

  private static func baseFile(
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(file) + baseOffset).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func overlay(
    of file: UnsafeMutablePointer<sqlite3_file>
  ) -> Unmanaged<LogOverlay> {
    let pointer = UnsafeMutableRawPointer(file).load(
      fromByteOffset: overlayOffset, as: UnsafeMutableRawPointer.self)
    return Unmanaged.fromOpaque(pointer)
  }

  private static var methods: sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    // Version 1 has neither shared memory nor memory mapping.
    methods.iVersion = 1
    methods.xClose = { file in file.map { LogOverlayFile.close($0) } ?? SQLITE_OK }
    methods.xRead = { file, bytes, count, offset in
      guard let file, let bytes else { return SQLITE_IOERR | (1 << 8) }
      return LogOverlayFile.read(file, bytes, count, offset)
    }
    methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
    methods.xTruncate = { _, _ in SQLITE_READONLY }
    methods.xSync = { _, _ in SQLITE_READONLY }
    methods.xFileSize = { file, size in
      guard let file, let size else { return SQLITE_IOERR | (7 << 8) }
      return LogOverlayFile.size(file, size)
    }
    // The overlay detects writes of other processes, so SQLite needs no locks.
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, isReserved in
      isReserved?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { file, operation, argument in
      guard let file else { return SQLITE_NOTFOUND }
      return LogOverlayFile.control(file, operation, argument)
    }
    methods.xSectorSize = { _ in 4_096 }
    // SQLite then neither locks the file nor checks for a journal or a log.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
    return methods
  }

  private static func close(_ file: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
    let baseFile = baseFile(of: file)
    let code = baseFile.pointee.pMethods?.pointee.xClose?(baseFile) ?? SQLITE_OK
    overlay(of: file).release()
    // SQLite does not use the table after `xClose`.
    file.pointee.pMethods?.deallocate()
    file.pointee.pMethods = nil
    return code
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ bytes: UnsafeMutableRawPointer, _ count: Int32,
    _ offset: sqlite3_int64
  ) -> Int32 {
    let failure = SQLITE_IOERR | (1 << 8)
    let baseFile = baseFile(of: file)
    guard let readBase = baseFile.pointee.pMethods?.pointee.xRead,
      count >= 0, offset >= 0, offset <= Int64.max - Int64(count)
    else { return failure }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
    let code = overlay(of: file).takeUnretainedValue().read(into: buffer, at: Int(offset)) {
      part, start in
      guard let address = part.baseAddress else { return SQLITE_OK }
      return readBase(baseFile, address, Int32(clamping: part.count), sqlite3_int64(start))
    }
    // The write version and the read version of the format: 2 would make SQLite open the log.
    for position in 18...19 where position >= offset && position - Int(offset) < buffer.count {
      let index = position - Int(offset)
      if buffer[index] == 2 { buffer[index] = 1 }
    }
    return code
  }

  private static func size(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ size: UnsafeMutablePointer<sqlite3_int64>
  ) -> Int32 {
    if let count = overlay(of: file).takeUnretainedValue().byteCount {
      size.pointee = count
      return SQLITE_OK
    }
    let baseFile = baseFile(of: file)
    return baseFile.pointee.pMethods?.pointee.xFileSize?(baseFile, size)
      ?? SQLITE_IOERR | (7 << 8)
  }

  private static func control(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ operation: Int32,
    _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    // Other operations could change the file or map it into memory.
    guard operation == SQLITE_FCNTL_LAST_ERRNO || operation == SQLITE_FCNTL_HAS_MOVED else {
      return SQLITE_NOTFOUND
    }
    let baseFile = baseFile(of: file)
    return baseFile.pointee.pMethods?.pointee.xFileControl?(baseFile, operation, argument)
      ?? SQLITE_NOTFOUND
  }
}
