import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// Creates copies of a database and its journal in a private folder.
///
/// The names of the copies are removed as soon as the files are open.
enum DatabaseCopy {
  /// Opens a consistent copy of the database file and its journal.
  ///
  /// The file is copied first and the journal second. A page that a checkpoint moves into the file
  /// during the copy is then still in the copied log, unless the log has restarted, which its
  /// header shows. The same order works for a rollback journal, which must not have changed at all.
  ///
  /// - Throws: ``StorageError/Code/locked`` if the files changed during each of three attempts.
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
      // The first statement opens the log and its index, or rolls back the journal.
      // After it SQLite needs none of the names.
      do throws(StorageError) {
        _ = try handle.connection(mayWrite: true).integer("SELECT count(*) FROM sqlite_schema")
        return handle
      } catch  where error.code == .corrupted && !isLast {
        // An application that has closed and reopened the database may have
        // created a log with the same inode number, which is also still
        // empty. Then the state does not show that the file has changed.
        continue
      }
    }
    throw StorageError(
      .locked,
      "cannot inspect \(quoted(path)): it changed during each of three attempts to copy it",
      suggestion: "try again when the application is less busy", backend: SQLiteBackend.name)
  }

  private static func state(of path: String, _ journal: String) throws(StorageError) -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system("examine", path) }
    var state = [Int(truncatingIfNeeded: status.st_ino)]
    guard stat(path + journal, &status) == 0 else { return state }
    state.append(Int(truncatingIfNeeded: status.st_ino))
    if journal == "-wal" {
      let log = try Descriptor(opening: path + journal, O_RDONLY)
      state += try log.read(32, at: 0).map(Int.init)
    } else {
      state += [Int(status.st_size)]
    }
    return state
  }

  private static func copyFile(_ path: String, to copy: String) throws(StorageError) {
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
/// It is removed together with the copies.
private struct PrivateFolder: ~Copyable {
  let path: String

  init() throws(StorageError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/undercroft-XXXXXX").utf8CString)
    // `mkdtemp` creates the folder with mode 0700.
    guard mkdtemp(&template) != nil else { throw .system("create a folder in", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for suffix in DatabaseFile.suffixes { unlink(path + "/copy" + suffix) }
    rmdir(path)
  }
}
