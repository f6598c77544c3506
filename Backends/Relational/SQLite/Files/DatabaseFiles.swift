public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The files that one database is made of, to be measured, removed or moved together.
///
/// Removing and moving need the database closed everywhere: see ``Database/whileClosed(_:)``.
public struct DatabaseFiles: Sendable, Hashable {
  /// The database itself, all links followed.
  public let location: URL
  let path: String

  /// Names the files of the database at `url`; nothing need be there.
  ///
  /// - Throws: ``StorageError/Code/misuse`` for a URL that is no file's.
  public init(at url: URL) throws(StorageError) {
    let given = try DatabaseFile.path(of: url)
    path = DatabaseFile.resolved(given)
    location = URL(filePath: path, directoryHint: .notDirectory)
  }

  /// All places, at some of which there may be nothing: the file, its write-ahead log, the index of that, the rollback journal.
  public var all: [URL] {
    DatabaseFile.suffixes.map { URL(filePath: path + $0, directoryHint: .notDirectory) }
  }

  /// Returns whether none of the files is there, nor a link in the place of one.
  ///
  /// - Throws: the error of the system if it cannot tell, as for a folder that may not be searched.
  package func isAbsent() throws(StorageError) -> Bool {
    for suffix in DatabaseFile.suffixes {
      var status = stat()
      if lstat(path + suffix, &status) == 0 { return false }
      guard errno == ENOENT else {
        throw .system("examine", path + suffix).naming(backend: SQLiteBackend.name)
      }
    }
    return true
  }

  /// Returns the bytes of all files together.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` when the database itself is not there, and any failure to ask.
  public func byteCount() throws(StorageError) -> Int {
    var sum = 0
    for suffix in DatabaseFile.suffixes {
      var status = stat()
      if stat(path + suffix, &status) == 0 {
        sum += Int(status.st_size)
      } else if suffix.isEmpty || errno != ENOENT {
        throw .system("measure", path + suffix).naming(backend: SQLiteBackend.name)
      }
    }
    return sum
  }
}
