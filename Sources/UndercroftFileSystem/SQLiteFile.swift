package import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A check that prevents stores of other formats from
/// opening a SQLite database with their own file descriptor.
package enum SQLiteFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Throws an error if a SQLite database is at `path`; call this method before a store is opened.
  ///
  /// This process may have the database open. Closing any other file descriptor
  /// of the database would release all locks of the process on the file
  /// (`fcntl`, POSIX record locks). The first bytes are therefore read through
  /// a file descriptor that the process already has open, if there is one.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the file is a SQLite database.
  package static func reject(at path: String) throws(StorageError) {
    guard StoreCandidate(at: URL(filePath: path)).start.starts(with: magic) else { return }
    throw StorageError(
      .misuse, "cannot open \(quoted(path)): the file is a SQLite database",
      suggestion: "choose another path, or open the database with .sqlite(at:)")
  }
}
