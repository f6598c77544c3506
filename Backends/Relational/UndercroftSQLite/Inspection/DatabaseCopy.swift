import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// A namespace for copying a database and its journal into a private folder.
///
/// The copied files are unlinked as soon as they are open.
enum DatabaseCopy {
  /// Opens a consistent copy of the database file and its journal.
  ///
  /// The file is copied first and the journal second. A page that a checkpoint moves into the file
  /// during the copy is then still in the copied log, unless the log has restarted. A restart
  /// changes the header of the log, and the copy is then repeated. For a rollback journal or an
  /// empty log, the copy is repeated if any file has changed during the copy.
  ///
  /// - Throws: ``StorageError/Code/busy`` if the files changed during each of three attempts.
  static func open(
    _ path: String, _ source: borrowing DatabaseSource, journal: String
  ) throws(StorageError) -> SQLiteHandle {
    for isLast in [false, false, true] {
      let before = try state(of: path, journal)
      let folder = try PrivateFolder()
      let copy = folder.path + "/copy"
      try source.copy(to: try Descriptor(opening: copy, O_CREAT | O_EXCL | O_WRONLY))
      try copyFile(path + journal, to: copy + journal)
      guard try state(of: path, journal) == before else { continue }
      let handle = try SQLiteHandle(copy, .readWrite)
      // The first statement opens the log and its index, or rolls back the journal. After that
      // statement, SQLite no longer needs the names of the files.
      do throws(StorageError) {
        _ = try handle.connection(mayWrite: true).integer("SELECT count(*) FROM sqlite_schema")
        return handle
      } catch  where error.code == .corrupted && !isLast {
        // On a file system with inexact timestamps, the fingerprint may not show that a file has
        // changed.
        continue
      }
    }
    throw StorageError(
      .busy,
      "cannot inspect \(quoted(path)): the file changed during each of three attempts to copy it",
      suggestion: "repeat the call when other connections write less often",
      backend: SQLiteBackend.name)
  }

  /// The properties of the files that must be the same before and after the copy, so that the copy
  /// is consistent.
  private enum State: Equatable {
    /// The identities of the file and its log, and the header of the log, which contains a random
    /// number. The size of the file is not compared, because a checkpoint may write to the file
    /// during the copy.
    case log([Int], header: Data)
    /// The fingerprint of all files, if there is no write-ahead log with a header.
    case files(DatabaseView.Fingerprint)
  }

  private static func state(of path: String, _ journal: String) throws(StorageError) -> State {
    if journal == "-wal", DatabaseFile.exists(path + journal) {
      let header = try Descriptor(opening: path + journal, O_RDONLY).read(32, at: 0)
      if header.count == 32 {
        return .log(try [inode(path), inode(path + journal)], header: header)
      }
    }
    return .files(DatabaseView.Fingerprint(path))
  }

  private static func inode(_ path: String) throws(StorageError) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system("read the attributes of", path) }
    return Int(truncatingIfNeeded: status.st_ino)
  }

  static func copyFile(_ path: String, to copy: String) throws(StorageError) {
    let source = try Descriptor(opening: path, O_RDONLY)
    let target = try Descriptor(opening: copy, O_CREAT | O_EXCL | O_WRONLY)
    var offset = 0
    while true {
      let chunk = try source.read(1 << 20, at: offset)
      if chunk.isEmpty { return }
      try target.write(chunk)
      offset += chunk.count
    }
  }
}

/// A new folder that only its owner can enter.
///
/// The folder is removed together with the copies in it.
struct PrivateFolder: ~Copyable {
  let path: String

  init() throws(StorageError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/undercroft-XXXXXX").utf8CString)
    // `mkdtemp` creates the folder with mode 0700.
    guard mkdtemp(&template) != nil else { throw .system("create a folder in", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    TemporaryItems.register(path)
  }

  deinit {
    for suffix in DatabaseFile.suffixes { unlink(path + "/copy" + suffix) }
    rmdir(path)
    TemporaryItems.unregister(path)
  }
}
