import Foundation
import Undercroft
import UndercroftSync

/// A server that synchronises the catalogues on one machine, with an SQLite store in a folder.
///
/// One process uses the folder at a time, because two servers must not use one store.
final class HomeServer {
  let server: SyncServer
  private let lock: Int32

  /// Opens the server in a folder, which is created if it is missing.
  ///
  /// - Throws: a `StorageError` with the code `locked` if another process uses the folder.
  init(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    lock = try Self.lock(folder.appending(path: "lock"))
    do {
      let store = try SQLiteSyncStore(at: Self.store(in: folder))
      server = SyncServer(store: store, tables: SyncedTable.shelf) { _, _ in .readWrite }
    } catch {
      close(lock)
      throw error
    }
  }

  // The system releases the lock of a closed file, also after a crash.
  deinit { close(lock) }

  /// Returns whether a folder contains a server.
  static func exists(in folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: store(in: folder).path)
  }

  private static func store(in folder: URL) -> URL { folder.appending(path: "store") }

  private static func lock(_ file: URL) throws -> Int32 {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let isLocked = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0
    let reason = errno
    if isLocked { return descriptor }
    if descriptor >= 0 { close(descriptor) }
    let cause =
      reason == EWOULDBLOCK
      ? "another process uses the server" : String(cString: strerror(reason)).lowercased()
    throw StorageError(
      reason == EWOULDBLOCK ? .locked : .unavailable,
      """
      cannot use the server in \(file.deletingLastPathComponent().path.debugDescription): \
      \(cause)
      """,
      suggestion: reason == EWOULDBLOCK
        ? "wait until the other process has ended, and repeat the command"
        : """
        check the owner and mode of the folder and the free space on its disk, and repeat the \
        command
        """)
  }
}
