import UndercroftCore
import UndercroftFileSystem

extension StorageError {
  /// The same error, or a more precise one if SQLite could not open or create a file beside an open
  /// database.
  ///
  /// If SQLite cannot open a file for writing, it tries to open the file for reading. Only the
  /// result of the second call is known, so nothing reports the cause of the failure.
  ///
  /// The failed statement must not be `ATTACH`, which opens another database.
  var explainingRefusedFile: StorageError {
    guard let cause = SQLiteError(causeOf: self), let path = cause.path else { return self }
    if cause.code == .readOnly, Self.isWritable(path), Self.isWritable(path + "-wal") {
      return StorageError(
        .io,
        """
        cannot write to \(quoted(path)): SQLite could open the write-ahead log only for reading, \
        although its permissions allow writing
        """,
        suggestion: "check the disk and the system log for errors, and open the database again",
        backend: SQLiteBackend.name, underlying: cause)
    }
    guard .cannotOpen ~= cause.code else { return self }
    switch cause.systemErrorNumber {
    case EMFILE, ENFILE:
      return .system("open the files of", path, number: cause.systemErrorNumber)
        .naming(backend: SQLiteBackend.name)
    case ENOENT where DatabaseFile.exists(path) && Self.isWritable(Folder.parent(of: path)):
      return StorageError(
        .io,
        """
        cannot create a file beside \(quoted(path)), such as its write-ahead log: SQLite does not \
        report the error of the operating system
        """,
        suggestion: "free disk space, or check the disk and the system log for errors",
        backend: SQLiteBackend.name, underlying: cause)
    default: return self
    }
  }

  /// Returns whether this process has the permission to write to a file or folder. (`access`)
  private static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
}
