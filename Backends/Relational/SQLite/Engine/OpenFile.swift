import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which file all connections of a database have open, so that one put in its place, or its removal, is noticed.
///
/// Otherwise some connections would have the old file and some the new one, and the log of one would be taken for the other's.
final class OpenFile: Sendable {
  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
  }

  private let path: String
  private let identity = Mutex<Identity?>(nil)

  init(_ url: URL) throws(StorageError) { path = try DatabaseFile.path(of: url) }

  /// Opens a connection, which must be to the same file as those before it.
  func opening(
    _ open: (_ mayMake: Bool) throws(StorageError) -> SQLiteHandle
  ) throws(StorageError) -> SQLiteHandle {
    try require()
    let handle = try open(identity.withLock { $0 == nil })
    // Another one may have been put there meanwhile.
    try require()
    identity.withLock { identity in
      if identity == nil { identity = Self.identity(of: path) }
    }
    return handle
  }

  /// Throws unless the file is where it was.
  func require() throws(StorageError) {
    guard let known = identity.withLock({ $0 }) else { return }
    let present = Self.identity(of: path)
    if present == known { return }
    throw StorageError(
      .unavailable,
      "cannot use \(quoted(path)): it was \(present == nil ? "removed" : "replaced") while it is in use",
      cure:
        "close the database and open it again; remove or replace its files within whileClosed alone",
      backend: SQLiteBackend.name)
  }

  /// All connections are closed, so that another file may be put there.
  func forget() { identity.withLock { $0 = nil } }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }
}
