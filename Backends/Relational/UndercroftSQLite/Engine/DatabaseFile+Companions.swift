import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension DatabaseFile {
  /// Throws if `path` is the path of a journal of another database, or if something other than a
  /// regular file, such as a pipe or a folder, has the path of a journal for `path`.
  ///
  /// A copy at `path` would destroy the write-ahead log of another database, even if that log is
  /// empty now. If a pipe has the name of a journal, SQLite would wait for another process to open
  /// the other end of the pipe.
  static func requireUsable(_ path: String) throws(StorageError) {
    let path = resolved(path)
    for suffix in suffixes.dropFirst() {
      if path.hasSuffix(suffix), isRegular(String(path.dropLast(suffix.count))) {
        throw StorageError(
          .unavailable,
          """
          cannot use \(quoted(path)): SQLite reserves this path for a log or journal of the \
          database \(quoted(String(path.dropLast(suffix.count))))
          """,
          suggestion: "choose another path", backend: SQLiteBackend.name)
      }
      // A single `stat`, because another process may remove a log at any time.
      var status = stat()
      if stat(path + suffix, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        throw StorageError(
          .unavailable,
          """
          cannot use \(quoted(path)): SQLite needs \(quoted(path + suffix)) for a log or journal, \
          but the item at this path is not a regular file
          """,
          suggestion: "rename \(quoted(path + suffix)), or choose another path",
          backend: SQLiteBackend.name
        )
      }
    }
  }

  /// Returns whether the file has no journal, and lies in a folder without write permission, where
  /// SQLite cannot create the index of a write-ahead log.
  ///
  /// Only such a file can safely be read without locks.
  static func isReadableWithoutLocks(_ path: String) -> Bool {
    let path = resolved(path)
    return !hasJournal(path) && access(Folder.parent(of: path), W_OK) != 0
  }
}
