public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// The files of one database, which can be measured, removed and moved together.
///
/// To remove or move the files, the database must be closed in all processes: see
/// ``Database/whileClosed(_:)``.
public struct DatabaseFiles: Sendable, Hashable {
  /// The location of the database file, with all links resolved.
  public let location: URL
  let path: String

  /// Creates a value for the files of the database at `url`, which need not exist.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a URL that is not a file URL.
  public init(at url: URL) throws(StorageError) {
    let given = try DatabaseFile.path(of: url)
    path = DatabaseFile.resolved(given)
    location = URL(filePath: path, directoryHint: .notDirectory)
  }

  /// The locations of all files, some of which may not exist.
  ///
  /// The files are the database, its write-ahead log, the index of that log, and the rollback
  /// journal.
  public var all: [URL] {
    DatabaseFile.suffixes.map { URL(filePath: path + $0, directoryHint: .notDirectory) }
  }

  /// Returns whether none of the files exists, not even as a dangling link.
  ///
  /// - Throws: the system error if this cannot be determined, as for a folder without search
  ///   permission.
  package func isAbsent() throws(StorageError) -> Bool {
    for suffix in DatabaseFile.suffixes {
      var status = stat()
      if lstat(path + suffix, &status) == 0 { return false }
      guard errno == ENOENT else {
        throw .system("read the attributes of", path + suffix).naming(backend: SQLiteBackend.name)
      }
    }
    return true
  }

  /// Returns the size in bytes of all files together.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if the database does not exist, and any other
  ///   error of the system.
  public func byteCount() throws(StorageError) -> Int {
    var sum = 0
    for suffix in DatabaseFile.suffixes {
      var status = stat()
      if stat(path + suffix, &status) == 0 {
        sum += Int(status.st_size)
      } else if suffix.isEmpty || errno != ENOENT {
        throw errno == ENOENT
          ? .missing("read the size of", path + suffix)
          : .system("read the size of", path + suffix).naming(backend: SQLiteBackend.name)
      }
    }
    return sum
  }
}
