#if SyncServer
  import UndercroftCore
  import UndercroftFileSystem
  import UndercroftFoundation

  /// The lock of the one process that serves a folder, which is held until the object is released.
  final class DataLock: Sendable {
    private let lock: FileLock

    /// Locks the folder.
    ///
    /// - Throws: ``StorageError/Code/locked`` if another process serves the folder.
    init(_ folder: DataFolder) throws(StorageError) {
      let lock = try FileLock(at: folder.url.appending(path: "server.lock").path)
      do throws(StorageError) { try lock.lock(timeout: .zero) } catch {
        guard error.code == .locked else { throw error }
        throw StorageError(
          .locked, "cannot use \(quoted(folder.url.path)): another process serves the folder",
          suggestion: "stop the other server, or state another folder in --data", underlying: error)
      }
      self.lock = lock
    }
  }
#endif
