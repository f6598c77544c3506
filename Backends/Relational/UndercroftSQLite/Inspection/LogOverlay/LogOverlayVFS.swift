import CSQLite
import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// The VFS through which SQLite reads a ``LogOverlay``. (`sqlite3_vfs`)
///
/// The VFS opens only the database file, for reading, and passes everything that does not concern
/// files to the default VFS. It opens no journals, logs or temporary files, so a connection needs
/// `PRAGMA temp_store = MEMORY`.
enum LogOverlayVFS {
  private static let name = "undercroft-log-overlay"
  /// The URI parameter that names the overlay.
  private static let parameter = "undercroft_log"

  /// The overlays that are being opened.
  private static let overlays = Mutex<[UInt64: LogOverlay]>([:])
  private static let nextNumber = Atomic<UInt64>(0)

  /// The period in which URIs can open a database with an overlay, which ends with the object.
  final class Registration: Sendable {
    private let number: UInt64
    /// The parameters of a URI that opens a database with the overlay.
    var parameters: String { "vfs=\(name)&\(parameter)=\(number)" }

    fileprivate init(_ overlay: LogOverlay) {
      number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
      overlays.withLock { [number] overlays in overlays[number] = overlay }
    }

    deinit { overlays.withLock { [number] overlays in overlays[number] = nil } }
  }

  /// Lets URIs open a database with `overlay` while the result exists.
  static func register(_ overlay: LogOverlay) throws(StorageError) -> Registration {
    guard isRegistered else {
      throw StorageError(
        .io, "cannot register the VFS \(quoted(name)): SQLite returned an error",
        backend: SQLiteBackend.name)
    }
    return Registration(overlay)
  }

  private static func overlay(_ number: UnsafePointer<CChar>) -> LogOverlay? {
    guard let number = UInt64(String(cString: number)) else { return nil }
    return overlays.withLock { $0[number] }
  }

  /// Whether SQLite knows the VFS, which is registered on first use and never removed.
  /// (`sqlite3_vfs_register`)
  private static let isRegistered: Bool = {
    guard let base = sqlite3_vfs_find(nil), let name = strdup(name) else { return false }
    var vfs = sqlite3_vfs()
    vfs.iVersion = 1
    vfs.szOsFile = LogOverlayFile.byteCount(above: base)
    vfs.mxPathname = base.pointee.mxPathname
    vfs.zName = UnsafePointer(name)
    vfs.pAppData = UnsafeMutableRawPointer(base)
    setFileMethods(&vfs)
    setOtherMethods(&vfs)
    let pointer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    pointer.initialize(to: vfs)
    return sqlite3_vfs_register(pointer, 0) == SQLITE_OK
  }()

  private static func base(
    of vfs: UnsafeMutablePointer<sqlite3_vfs>?
  ) -> UnsafeMutablePointer<sqlite3_vfs>? {
    vfs?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
  }

  private static func setFileMethods(_ vfs: inout sqlite3_vfs) {
    vfs.xOpen = { vfs, name, file, flags, outFlags in
      guard let file else { return SQLITE_CANTOPEN }
      file.pointee.pMethods = nil
      guard flags & SQLITE_OPEN_MAIN_DB != 0, let base = LogOverlayVFS.base(of: vfs), let name,
        let number = sqlite3_uri_parameter(name, LogOverlayVFS.parameter),
        let overlay = LogOverlayVFS.overlay(number)
      else { return SQLITE_CANTOPEN }
      let code = LogOverlayFile.open(file, name, with: base, overlay)
      outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
      return code
    }
    vfs.xDelete = { _, _, _ in SQLITE_READONLY }
    vfs.xAccess = { _, _, _, exists in
      exists?.pointee = 0
      return SQLITE_OK
    }
    vfs.xFullPathname = { vfs, name, count, path in
      let base = LogOverlayVFS.base(of: vfs)
      return base?.pointee.xFullPathname?(base, name, count, path) ?? SQLITE_CANTOPEN
    }
  }

  private static func setOtherMethods(_ vfs: inout sqlite3_vfs) {
    // Without a result, the connection cannot load extensions.
    vfs.xDlOpen = { _, _ in nil }
    vfs.xDlError = { _, _, _ in }
    vfs.xDlSym = { _, _, _ in nil }
    vfs.xDlClose = { _, _ in }
    vfs.xRandomness = { vfs, count, bytes in
      let base = LogOverlayVFS.base(of: vfs)
      return base?.pointee.xRandomness?(base, count, bytes) ?? 0
    }
    vfs.xSleep = { vfs, microseconds in
      let base = LogOverlayVFS.base(of: vfs)
      return base?.pointee.xSleep?(base, microseconds) ?? 0
    }
    vfs.xCurrentTime = { vfs, time in
      let base = LogOverlayVFS.base(of: vfs)
      return base?.pointee.xCurrentTime?(base, time) ?? SQLITE_ERROR
    }
    vfs.xGetLastError = { vfs, count, message in
      let base = LogOverlayVFS.base(of: vfs)
      return base?.pointee.xGetLastError?(base, count, message) ?? 0
    }
  }
}
