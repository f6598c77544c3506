import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// The default VFS of SQLite, to which the VFSs of inspections pass everything that they do not
/// change. (`sqlite3_vfs`)
enum BaseVFS {
  /// Registers a VFS, which is never removed, and returns whether that succeeded.
  /// (`sqlite3_vfs_register`)
  ///
  /// - Parameters:
  ///   - name: the name of the VFS in URIs.
  ///   - byteCount: a closure that returns the size in bytes of a file object of the VFS.
  ///   - setFileMethods: a closure that sets `xOpen`, `xDelete` and `xAccess`.
  static func register(
    _ name: String, byteCount: (UnsafeMutablePointer<sqlite3_vfs>) -> Int32,
    setFileMethods: (inout sqlite3_vfs) -> Void
  ) -> Bool {
    guard let base = sqlite3_vfs_find(nil), let name = strdup(name) else { return false }
    var vfs = sqlite3_vfs()
    vfs.iVersion = 1
    vfs.szOsFile = byteCount(base)
    vfs.mxPathname = base.pointee.mxPathname
    vfs.zName = UnsafePointer(name)
    vfs.pAppData = UnsafeMutableRawPointer(base)
    setFileMethods(&vfs)
    setOtherMethods(&vfs)
    let pointer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    pointer.initialize(to: vfs)
    return sqlite3_vfs_register(pointer, 0) == SQLITE_OK
  }

  /// Returns the default VFS as it was when `vfs` was registered.
  static func base(
    of vfs: UnsafeMutablePointer<sqlite3_vfs>?
  ) -> UnsafeMutablePointer<sqlite3_vfs>? {
    vfs?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
  }

  static func failure(of name: String) -> StorageError {
    StorageError(
      .io, "cannot register the VFS \(quoted(name)): SQLite returned an error",
      backend: SQLiteBackend.name)
  }

  private static func setOtherMethods(_ vfs: inout sqlite3_vfs) {
    vfs.xFullPathname = { vfs, name, count, path in
      let base = BaseVFS.base(of: vfs)
      return base?.pointee.xFullPathname?(base, name, count, path) ?? SQLITE_CANTOPEN
    }
    // Without a result, the connection cannot load extensions.
    vfs.xDlOpen = { _, _ in nil }
    vfs.xDlError = { _, _, _ in }
    vfs.xDlSym = { _, _, _ in nil }
    vfs.xDlClose = { _, _ in }
    vfs.xRandomness = { vfs, count, bytes in
      let base = BaseVFS.base(of: vfs)
      return base?.pointee.xRandomness?(base, count, bytes) ?? 0
    }
    vfs.xSleep = { vfs, microseconds in
      let base = BaseVFS.base(of: vfs)
      return base?.pointee.xSleep?(base, microseconds) ?? 0
    }
    vfs.xCurrentTime = { vfs, time in
      let base = BaseVFS.base(of: vfs)
      return base?.pointee.xCurrentTime?(base, time) ?? SQLITE_ERROR
    }
    vfs.xGetLastError = { vfs, count, message in
      let base = BaseVFS.base(of: vfs)
      return base?.pointee.xGetLastError?(base, count, message) ?? 0
    }
  }
}
