import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The identities of the files that all connections of a database have open, to detect their
/// removal or replacement.
///
/// If a replacement were not detected, some connections would have the old file open, and other
/// connections the new file. SQLite would then use the log of one file for the other file.
final class OpenFiles: Sendable {
  private struct File {
    let path: String
    let device: dev_t
    let number: ino_t

    /// Reads the identity of the file at `path`.
    ///
    /// Returns `nil` if there is no file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.path = path
      device = status.st_dev
      number = status.st_ino
    }
  }

  /// The maximum number of attempts to open one connection while other processes replace the files.
  private static let maximumAttemptCount = 100

  private let url: URL
  private let attachments: DatabaseAttachments
  /// The files that the first connection opened; empty before the first connection is opened, and
  /// after ``forget()``.
  private let known = Mutex<[File]>([])

  init(_ url: URL, _ attachments: DatabaseAttachments) {
    self.url = url
    self.attachments = attachments
  }

  /// Opens a connection, and checks that it uses the same files as the other connections.
  ///
  /// SQLite opens a file before it waits for the lock of a process that is replacing the file. The
  /// connection then has the old file open, which no longer has a name. The changes of the
  /// connection would be lost, and SQLite would use the write-ahead log of one file for the other
  /// file. In this case, the connection is opened again.
  ///
  /// - Parameter open: a closure that opens the connection. The argument of the closure is `true`
  ///   if the closure is allowed to create a missing file.
  func opening(
    _ open: (_ mayMake: Bool) throws(StorageError) -> SQLiteHandle
  ) throws(StorageError) -> SQLiteHandle {
    for _ in 0..<Self.maximumAttemptCount {
      try require()
      let handle = try open(known.withLock { $0.isEmpty })
      // Another process may have replaced the files since the first check.
      try require()
      let paths = try ([url] + attachments.all.map(\.location)).map {
        (url) throws(StorageError) in try DatabaseFile.path(of: url)
      }
      let files = paths.compactMap { File($0) }
      // This check runs after the identities were read. If the check passes, the identities belong
      // to the files that the connection has open.
      if handle.hasMoved { continue }
      known.withLock { known in
        if known.isEmpty { known = files }
      }
      return handle
    }
    throw SQLiteHandle.replacedAtOpening(try DatabaseFile.path(of: url))
  }

  /// Throws an error if a file was removed or replaced since the first connection opened it.
  func require() throws(StorageError) {
    try known.withLock { (known) throws(StorageError) in
      for file in known {
        var present = stat()
        let exists = stat(file.path, &present) == 0
        if exists, present.st_ino == file.number, present.st_dev == file.device { continue }
        let steps =
          exists
          ? "close the database and open it again"
          : """
          close the database, move the file back or restore it from a backup if its data is still \
          needed, and open the database again
          """
        throw StorageError(
          .unavailable,
          """
          cannot use \(quoted(file.path)): the file was \
          \(exists ? "replaced" : "removed or moved") while the database was open
          """,
          suggestion: """
            \(steps); remove, move or replace the files of an open database only inside \
            whileClosed { files in … }
            """,
          backend: SQLiteBackend.name)
      }
    }
  }

  /// Discards the recorded identities, so that the files can be replaced.
  ///
  /// Must be called only while all connections are closed.
  func forget() { known.withLock { $0 = [] } }
}
