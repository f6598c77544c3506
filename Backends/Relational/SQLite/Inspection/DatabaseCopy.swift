import CSQLite
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Copies of a database and its journal in a folder of our own, gone from the disk's names as soon as they are open.
enum DatabaseCopy {
  /// Opens a copy of the file and of its journal that belong together.
  ///
  /// File first, log second: whatever a checkpoint moves into the file meanwhile is still in the log, unless the log was begun
  /// anew, which its header tells. The same order serves a rollback journal, which must not have changed at all.
  ///
  /// - Throws: ``StorageError/Code/locked`` when a writer was faster three times.
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
      // The first look opens the log and its index, or rolls back; after it no name is needed any more.
      do throws(StorageError) {
        _ = try handle.connection(mayWrite: true).integer("SELECT count(*) FROM sqlite_schema")
        return handle
      } catch  where error.code == .corrupted && !isLast {
        // An application that closed the database meanwhile and opened it again may have a log of the same number, with nothing
        // in it either, so that its state says nothing of what came between.
        continue
      }
    }
    throw StorageError(
      .locked, "cannot inspect \(quoted(path)): it was rewritten while it was being copied",
      cure: "try again when the application is less busy", backend: SQLiteBackend.name)
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

/// A new folder that only its owner can enter, removed with all its files.
private struct PrivateFolder: ~Copyable {
  let path: String

  init() throws(StorageError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/undercroft-XXXXXX").utf8CString)
    // Made with mode 0700. (`mkdtemp`)
    guard mkdtemp(&template) != nil else { throw .system("make a folder in", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for suffix in DatabaseFile.suffixes { unlink(path + "/copy" + suffix) }
    rmdir(path)
  }
}
