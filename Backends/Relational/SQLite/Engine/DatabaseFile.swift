import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database as a file among files.
///
/// Nothing here opens an existing database: closing any descriptor of it drops the locks that the whole process holds on it.
/// (`fcntl`, POSIX record locks)
enum DatabaseFile {
  static func path(of url: URL) throws(StorageError) -> String {
    do throws(StorageError) {
      // A folder's slash at the end of a file's name is an accident.
      var path = try FilePath.of(url)
      while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
        path.unicodeScalars.removeLast()
      }
      return path
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Makes sure that there is a file to be read.
  static func require(_ path: String) throws(StorageError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .system("open", path).naming(backend: SQLiteBackend.name)
    }
    try refuse(path, unlessRegular: status)
    try refuseBadPlace(path)
  }

  private static func refuse(
    _ path: String, unlessRegular status: stat
  ) throws(StorageError) {
    if status.st_mode & S_IFMT == S_IFREG { return }
    let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
    throw StorageError(
      .unavailable, "cannot open \(quoted(path)): it is \(kind)",
      cure: "give the path of a file", backend: SQLiteBackend.name)
  }

  /// Makes an empty file, which is an empty database, and the folders above it; leaves what is there alone.
  static func create(_ path: String) throws(StorageError) {
    if exists(path) { return try require(path) }
    try refuseBadPlace(path)
    do throws(StorageError) {
      try Folder.create(Folder.parent(of: path))
      try makeEmpty(path)
      try Folder.synchronize(Folder.parent(of: path))
    } catch  where (error.underlying as? SystemError)?.number == EEXIST {
      // Another process was faster, or a dangling link stands there, which opening will tell.
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Makes an empty file without a descriptor: another thread may open the database at once, and closing a descriptor would drop
  /// its locks.
  private static func makeEmpty(_ path: String) throws(StorageError) {
    if Platform.retrying({ mknod(path, S_IFREG | 0o600, 0) }) == 0 { return }
    let number = errno
    guard [EPERM, ENOSYS, EOPNOTSUPP, EINVAL].contains(number) else {
      throw .system("create", path, number: number)
    }
    // Some systems allow this call only to the superuser. The file is closed before it gets its name.
    let other = "\(path)-\(UInt64.random(in: .min ... .max))"
    _ = try Descriptor(opening: other, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    defer { unlink(other) }
    guard Platform.retrying({ link(other, path) }) == 0 else { throw .system("create", path) }
  }

  /// Returns the path with all links followed, as SQLite does before it puts files beside the database.
  static func resolved(_ path: String) -> String {
    if let whole = realPath(path) { return whole }
    // What a link leads to may have to be made yet.
    let path = (try? FilePath.resolvingLinks(path)) ?? path
    guard let folder = realPath(Folder.parent(of: path)) else { return path }
    return (folder == "/" ? "" : folder) + "/" + Folder.name(of: path)
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    // What is not UTF-8 has no path that we could write; it is reached through its link.
    return String(validatingCString: resolved)
  }

  /// Whether two paths lead to one file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether a journal of either sort stands beside the file.
  static func hasJournal(_ path: String) -> Bool {
    hasLog(path) || exists(resolved(path) + "-journal")
  }

  /// Whether a write-ahead log stands beside the file.
  static func hasLog(_ path: String) -> Bool { exists(resolved(path) + "-wal") }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Whether a regular file is there: opening a pipe would wait for its other end.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// What the names of the files of one database end with; all of SQLite's files but the first are beside it.
  static let suffixes = ["", "-wal", "-shm", "-journal"]

  /// The bytes of the file and of all that SQLite puts beside it.
  static func byteCount(_ path: String) -> Int {
    let path = resolved(path)
    return suffixes.reduce(0) { sum, suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }
}

extension StorageError {
  /// Returns the same error with the path of the database at its beginning.
  func about(_ path: String) -> StorageError {
    if message.contains(quoted(path)) { return self }
    return StorageError(
      code, "cannot open \(quoted(path)): \(message)", backend: backend ?? SQLiteBackend.name,
      key: key, underlying: underlying)
  }
}
