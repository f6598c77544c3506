import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DatabaseFile {
  /// Refuses a place that is one of another database's own files, and one beside which a journal cannot be.
  ///
  /// A copy written over another's log, which is empty after a checkpoint, would take that from it. And where a pipe stands in
  /// a journal's place SQLite would wait for its other end.
  static func refuseBadPlace(_ path: String) throws(StorageError) {
    let path = resolved(path)
    for suffix in suffixes.dropFirst() {
      if path.hasSuffix(suffix), isRegular(String(path.dropLast(suffix.count))) {
        throw StorageError(
          .unavailable,
          "cannot use \(quoted(path)): it is a file of the database \(quoted(String(path.dropLast(suffix.count))))",
          cure: "choose another name", backend: SQLiteBackend.name)
      }
      // Asked once, as a log may go at any time.
      var status = stat()
      if stat(path + suffix, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        throw StorageError(
          .unavailable, "cannot use \(quoted(path)): \(quoted(path + suffix)) is no regular file",
          cure: "move it away, or choose another name", backend: SQLiteBackend.name)
      }
    }
  }

  /// Whether nobody can have changes waiting, and no index of a log can be made because the folder may not be written.
  ///
  /// Only then may the file be read without locks.
  static func isStill(_ path: String) -> Bool {
    let path = resolved(path)
    return !hasJournal(path) && access(Folder.parent(of: path), W_OK) != 0
  }
}
