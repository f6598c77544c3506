import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// Operations on the file of a database by its path.
///
/// None of these functions opens an existing database: closing any file descriptor of a file
/// releases all locks that the process holds on that file. (`fcntl`, POSIX record locks)
enum DatabaseFile {
  static func path(of url: URL) throws(StorageError) -> String {
    do throws(StorageError) {
      // A slash at the end of a file name, as in a folder's URL, is ignored.
      var path = try FilePath.of(url)
      while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
        path.unicodeScalars.removeLast()
      }
      return path
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Throws if there is no regular file at `path`, or if ``requireUsable(_:)`` rejects the path.
  static func require(_ path: String) throws(StorageError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT
        ? .missing("open", path) : .system("open", path).naming(backend: SQLiteBackend.name)
    }
    try refuse(path, unlessRegular: status)
    try requireUsable(path)
  }

  private static func refuse(
    _ path: String, unlessRegular status: stat
  ) throws(StorageError) {
    if status.st_mode & S_IFMT == S_IFREG { return }
    let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a special file"
    throw StorageError(
      .unavailable, "cannot open \(quoted(path)): the path names \(kind)",
      suggestion: "pass the URL of a regular file", backend: SQLiteBackend.name)
  }

  /// Creates an empty file, which is an empty database, and its missing parent folders.
  ///
  /// An existing file remains unchanged.
  static func create(_ path: String) throws(StorageError) {
    if exists(path) { return try require(path) }
    try requireUsable(path)
    do throws(StorageError) {
      try Folder.createDurably(Folder.parent(of: path))
      try makeEmpty(path)
      try Folder.synchronize(Folder.parent(of: path))
    } catch  where (error.underlying as? SystemError)?.number == EEXIST {
      // Another process has created the file, or the path is a dangling link, and a later attempt
      // to open it reports that.
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Creates an empty file without opening a file descriptor of it.
  ///
  /// Another thread may open the database immediately, and closing a file descriptor here would
  /// release the locks of that thread.
  private static func makeEmpty(_ path: String) throws(StorageError) {
    if Platform.retrying({ mknod(path, S_IFREG | 0o600, 0) }) == 0 { return }
    let number = errno
    guard [EPERM, ENOSYS, EOPNOTSUPP, EINVAL].contains(number) else {
      throw .system("create", path, number: number)
    }
    // Some systems allow `mknod` only to the superuser. Here a file with a temporary name is
    // created and closed before it is linked to `path`.
    let other = "\(path)-\(UInt64.random(in: .min ... .max))"
    _ = try Descriptor(opening: other, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    defer { unlink(other) }
    guard Platform.retrying({ link(other, path) }) == 0 else { throw .system("create", path) }
  }

  /// Returns the path with all links resolved.
  ///
  /// SQLite also resolves the links before it creates files beside the database.
  static func resolved(_ path: String) -> String {
    if let resolved = realPath(path) { return resolved }
    // The target of a link may not exist yet.
    let path = (try? FilePath.resolvingLinks(path)) ?? path
    guard let folder = realPath(Folder.parent(of: path)) else { return path }
    return (folder == "/" ? "" : folder) + "/" + Folder.name(of: path)
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    // A path that is not UTF-8 cannot be a `String`. The file is opened by the path of the link.
    return String(validatingCString: resolved)
  }

  /// Returns the quoted path of the main database of a connection, for error messages.
  /// (`sqlite3_db_filename`)
  static func name(of connection: OpaquePointer) -> String {
    guard let name = sqlite3_db_filename(connection, "main"), name.pointee != 0 else {
      return "the in-memory database"
    }
    return quoted(String(cString: name))
  }

  /// Returns whether two paths lead to the same file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Returns whether there is a write-ahead log or a rollback journal beside the file.
  static func hasJournal(_ path: String) -> Bool {
    hasLog(path) || exists(resolved(path) + "-journal")
  }

  /// Returns whether there is a write-ahead log beside the file.
  static func hasLog(_ path: String) -> Bool { exists(resolved(path) + "-wal") }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Returns whether the path leads to a regular file.
  ///
  /// Opening a pipe would wait for another process to open the other end of the pipe.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The suffixes that SQLite appends to the path of a database to form the paths of its files.
  static let suffixes = ["", "-wal", "-shm", "-journal"]

  /// Returns the size in bytes of the database and of all files that SQLite stores beside it.
  static func byteCount(_ path: String) -> Int {
    let path = resolved(path)
    return suffixes.reduce(0) { sum, suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }
}

extension StorageError {
  /// Returns the error for a missing file at `path`, whose message begins with `cannot <action>
  /// "<path>"`. (`ENOENT`)
  static func missing(_ action: String, _ path: String) -> StorageError {
    .system(action, path, number: ENOENT).naming(backend: SQLiteBackend.name)
  }

  /// Returns a copy of this error that names the backend, and whose message contains `path`.
  ///
  /// A part `a statement on "<path>"` of the message is shortened to `a statement`. If the message
  /// then does not contain `path`, the message of the copy begins with `cannot open "<path>": `.
  func about(_ path: String) -> StorageError {
    let name = quoted(path)
    let file = (underlying as? SQLiteError)?.path.map { quoted($0) } ?? name
    let reason = failure.replacing(" a statement on \(file): ", with: " a statement: ")
    let text = reason.contains(name) ? reason : "cannot open \(name): \(reason)"
    return StorageError(
      code, text, suggestion: suggestion, backend: backend ?? SQLiteBackend.name, key: key,
      underlying: underlying)
  }
}
