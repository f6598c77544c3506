package import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps stores of other formats from opening a SQLite database by a descriptor of their own.
package enum SQLiteFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Throws if a SQLite database is at `path`; call it once, before a store is opened.
  ///
  /// This process may have the database open. Closing any other descriptor of it would drop all locks
  /// that the process holds on the file. (`fcntl`, POSIX record locks) So the first bytes are read
  /// through a descriptor that the process has open, if there is one.
  ///
  /// - Throws: ``StorageError/Code/misuse``.
  package static func refuse(at path: String) throws(StorageError) {
    guard StoreCandidate(at: URL(filePath: path)).start.starts(with: magic) else { return }
    throw StorageError(
      .misuse, "cannot open \(quoted(path)): it is a SQLite database", cure: "choose another path")
  }
}
