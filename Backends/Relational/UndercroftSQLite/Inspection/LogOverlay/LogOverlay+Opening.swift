import CSQLite
import UndercroftCore

extension LogOverlay {
  /// Opens a read-only connection to the presented database.
  func open() throws(StorageError) -> SQLiteHandle {
    let registration = try LogOverlayVFS.register(self)
    let handle = try SQLiteHandle(path, .virtual(parameters: registration.parameters))
    withExtendedLifetime(registration) {}
    // The VFS opens no temporary files.
    try Statement("PRAGMA temp_store = MEMORY", on: handle.raw).run()
    return handle
  }
}
