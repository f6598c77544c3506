import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The lock that libgdbm holds on a file while a program has the file open. (`flock`)
enum GDBMLock {
  /// Waits until no program has the file at `url` open for writing through libgdbm.
  ///
  /// A journalled store replaces the file. What the other program writes later would be lost,
  /// because it continues to write to the replaced file.
  ///
  /// - Throws: ``StorageError/Code/locked`` after `timeout`.
  static func waitForWriters(of url: URL, timeout: Duration) throws(StorageError) {
    let path = try FilePath.ofFile(at: url)
    // Closing a descriptor of a SQLite file would drop the locks of this process on the file.
    try SQLiteFile.reject(at: path)
    guard try Folder.hasEntry(at: path) else { return }
    let file = try Descriptor(regularFile: path, O_RDONLY)
    let deadline = ContinuousClock.now + timeout
    // A program that only reads holds a shared lock. The lock of this descriptor ends with it.
    while Platform.retrying({ flock(file.raw, LOCK_SH | LOCK_NB) }) != 0 {
      // A file system may not support such locks.
      guard errno == EWOULDBLOCK else { return }
      guard ContinuousClock.now < deadline else {
        throw StorageError(
          .locked,
          "cannot write to \(quoted(path)): another program has the GDBM file open for writing",
          suggestion: "close the file in the other program")
      }
      usleep(5_000)
    }
  }
}
