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
    guard isRegistered else { throw BaseVFS.failure(of: name) }
    return Registration(overlay)
  }

  private static func overlay(_ number: UnsafePointer<CChar>) -> LogOverlay? {
    guard let number = UInt64(String(cString: number)) else { return nil }
    return overlays.withLock { $0[number] }
  }

  /// Whether SQLite knows the VFS, which is registered on first use and never removed.
  private static let isRegistered = BaseVFS.register(
    name, byteCount: { LogOverlayFile.byteCount(above: $0) },
    setFileMethods: { setFileMethods(&$0) })

  private static func setFileMethods(_ vfs: inout sqlite3_vfs) {
    vfs.xOpen = { vfs, name, file, flags, outFlags in
      guard let file else { return SQLITE_CANTOPEN }
      file.pointee.pMethods = nil
      guard flags & SQLITE_OPEN_MAIN_DB != 0, let base = BaseVFS.base(of: vfs), let name,
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
  }
}
