import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which files all connections of a database have open, so that others put in their places, or their removal, are noticed.
///
/// Otherwise some connections would have the old file and some the new one, and the log of one would be taken for the other's.
final class OpenFiles: Sendable {
  private struct File {
    let path: String
    let device: dev_t
    let number: ino_t

    /// What is at `path`; `nil` for nothing.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.path = path
      device = status.st_dev
      number = status.st_ino
    }
  }

  /// How often the files may be replaced while one connection is opened.
  private static let mostReplacements = 100

  private let url: URL
  private let attachments: Attachments
  /// None as long as no connection is open.
  private let known = Mutex<[File]>([])

  init(_ url: URL, _ attachments: Attachments) {
    self.url = url
    self.attachments = attachments
  }

  /// Opens a connection, which must be to the same files as those before it.
  ///
  /// SQLite opens a file before it waits for the lock of a process that is replacing the file. The connection then has the old file,
  /// whose name is gone: what it writes would be lost, and its log would be taken for that of the new file. So it is opened again.
  ///
  /// - Parameter open: told whether a file that is missing may be made.
  func opening(
    _ open: (_ mayMake: Bool) throws(StorageError) -> SQLiteHandle
  ) throws(StorageError) -> SQLiteHandle {
    for _ in 0..<Self.mostReplacements {
      try require()
      let handle = try open(known.withLock { $0.isEmpty })
      // Others may have been put there meanwhile.
      try require()
      let paths = try ([url] + attachments.all.map(\.location)).map {
        (url) throws(StorageError) in try DatabaseFile.path(of: url)
      }
      let files = paths.compactMap { File($0) }
      // After the files were examined, so that they are those of the connection.
      if handle.hasMoved { continue }
      known.withLock { known in
        if known.isEmpty { known = files }
      }
      return handle
    }
    throw SQLiteHandle.replacedAtOpening.about(try DatabaseFile.path(of: url))
  }

  /// Throws unless the files are where they were.
  func require() throws(StorageError) {
    try known.withLock { (known) throws(StorageError) in
      for file in known {
        var present = stat()
        let isThere = stat(file.path, &present) == 0
        if isThere, present.st_ino == file.number, present.st_dev == file.device { continue }
        throw StorageError(
          .unavailable,
          "cannot use \(quoted(file.path)): it was \(!isThere ? "removed" : "replaced") while it is in use",
          cure:
            "close the database and open it again; remove or replace its files within whileClosed alone",
          backend: SQLiteBackend.name)
      }
    }
  }

  /// All connections are closed, so that other files may be put there.
  func forget() { known.withLock { $0 = [] } }
}
