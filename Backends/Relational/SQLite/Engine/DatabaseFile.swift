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
    do throws(StorageError) { return try FilePath.of(url) } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Makes an empty file, which is an empty database, and the folders above it; leaves what is there alone.
  static func create(_ path: String) throws(StorageError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
        throw StorageError(
          .unavailable, "cannot open \(quoted(path)): it is \(kind)",
          cure: "give the path of a file", backend: SQLiteBackend.name)
      }
      return
    }
    do throws(StorageError) {
      try Folder.create(Folder.parent(of: path))
      _ = try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try Folder.synchronize(Folder.parent(of: path))
    } catch  where (error.underlying as? SystemError)?.number == EEXIST {
      // Another process was faster, or a dangling link stands there, which opening will tell.
    } catch {
      throw error.naming(backend: SQLiteBackend.name)
    }
  }

  /// Whether a write-ahead log stands beside the file.
  static func hasLog(_ path: String) -> Bool { exists(path + "-wal") }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Whether a regular file is there: opening a pipe would wait for its other end.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes of the file and of all that SQLite puts beside it.
  static func byteCount(_ path: String) -> Int {
    ["", "-wal", "-shm", "-journal"].reduce(0) { sum, suffix in
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
