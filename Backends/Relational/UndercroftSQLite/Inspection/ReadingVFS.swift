import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The VFS through which an inspection reads a database with the locks of SQLite, without changing
/// a property of the files beside the database. (`sqlite3_vfs`)
///
/// The default VFS sets the owner of a journal, a log and an index of the log (`-shm`) to the owner
/// of the database each time it opens one of them, if the process runs as root. (`robustFchown`)
/// An inspection opens them only for reading, so it must leave the owner unchanged: an application
/// that runs as another user could otherwise lose the access to its own log. The file objects are
/// those of the default VFS, so all connections of this process share their locks.
enum ReadingVFS {
  private static let name = "undercroft-reading"

  /// The parameters of a URI that opens a database with the VFS.
  static var parameters: String {
    get throws(StorageError) {
      guard isRegistered else { throw BaseVFS.failure(of: name) }
      return "vfs=\(name)"
    }
  }

  private static let isRegistered: Bool = {
    guard
      BaseVFS.register(
        name, byteCount: { $0.pointee.szOsFile }, setFileMethods: { setFileMethods(&$0) })
    else { return false }
    retainOwnersOfReadFiles()
    return true
  }()

  private static func setFileMethods(_ vfs: inout sqlite3_vfs) {
    vfs.xOpen = { vfs, name, file, flags, outFlags in
      file?.pointee.pMethods = nil
      let base = BaseVFS.base(of: vfs)
      let readingFlags = ReadingVFS.readingFlags(flags)
      return base?.pointee.xOpen?(base, name, file, readingFlags, outFlags) ?? SQLITE_CANTOPEN
    }
    vfs.xDelete = { _, _, _ in SQLITE_READONLY }
    vfs.xAccess = { vfs, name, flags, result in
      let base = BaseVFS.base(of: vfs)
      return base?.pointee.xAccess?(base, name, flags, result) ?? SQLITE_IOERR
    }
  }

  /// Returns the flags for opening a file, which is opened only for reading if it is a journal or a
  /// log.
  ///
  /// The default VFS does not set the owner of a file of another type, and treats such a file in
  /// the same way otherwise.
  private static func readingFlags(_ flags: Int32) -> Int32 {
    let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL
    guard flags & journals != 0 else { return flags }
    let others = flags & ~(journals | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    return others | SQLITE_OPEN_READONLY | SQLITE_OPEN_SUBJOURNAL
  }

  /// Lets SQLite set the owner only of files that it opens for writing. (`xSetSystemCall`)
  ///
  /// SQLite opens the index of a log itself, so the VFS cannot change how it is opened. The system
  /// call is replaced for the whole process. Connections that write are not affected, because they
  /// open the files for writing, or again for writing before they write.
  private static func retainOwnersOfReadFiles() {
    guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall else { return }
    let setOwner: @convention(c) (Int32, uid_t, gid_t) -> Int32 = { file, owner, group in
      let isReadOnly = fcntl(file, F_GETFL) & (O_WRONLY | O_RDWR) == 0
      return isReadOnly ? 0 : fchown(file, owner, group)
    }
    _ = set(vfs, "fchown", unsafeBitCast(setOwner, to: sqlite3_syscall_ptr.self))
  }
}
