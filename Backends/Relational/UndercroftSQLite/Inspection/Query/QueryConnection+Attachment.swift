import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

extension QueryConnection {
  /// Returns a URI with which SQLite reads the present state of a database without changing the
  /// file or creating files beside it, and an object that must live as long as the connection.
  ///
  /// A write-ahead log beside the file is read through a ``LogOverlay``. If a rollback journal with
  /// changes is beside the file, the URI names a private copy of the file and the journal.
  ///
  /// - Throws: ``StorageError/Code/busy`` if other processes change the file during each attempt to
  ///   copy it.
  static func attachment(
    for url: URL
  ) throws(StorageError) -> (uri: String, keepAlive: AnyObject?) {
    let path = DatabaseFile.resolved(try DatabaseFile.path(of: url))
    do throws(StorageError) {
      try DatabaseFile.require(path)
      for _ in 0..<3 {
        let fingerprint = DatabaseView.Fingerprint(path)
        let source = try DatabaseSource(path)
        switch try ReadingMode(for: path, source) {
        case .withLog:
          let file = try OverlaidFile(path)
          return (uri(of: path, file.parameters), file)
        case .unlocked:
          return (uri(of: path, "mode=ro&immutable=1"), UnguardedFile(path, fingerprint))
        case .locked: return (uri(of: path, "mode=ro&\(try ReadingVFS.parameters)"), nil)
        case .copied:
          let copy = try CopiedFile(path, source, ["-journal"])
          if fingerprint == DatabaseView.Fingerprint(path) {
            return (uri(of: copy.path, "mode=rw"), copy)
          }
        }
      }
    } catch {
      throw error.about(path)
    }
    throw StorageError.changing(path)
  }

  private static func uri(of path: String, _ parameters: String) -> String {
    "\(SQLiteHandle.uri(path))?\(parameters)"
  }
}

/// A file that is read without a lock, so that other processes can change it meanwhile.
protocol UnlockedFile: AnyObject {
  /// Throws ``StorageError/Code/busy`` if what was read may belong to different states of the file.
  func requireUnchanged() throws(StorageError)
}

/// A database file that is read together with its write-ahead log.
final class OverlaidFile: UnlockedFile {
  private let overlay: LogOverlay
  private let registration: LogOverlayVFS.Registration
  /// The parameters of a URI that opens the database.
  var parameters: String { registration.parameters }

  init(_ path: String) throws(StorageError) {
    overlay = try LogOverlay(path)
    registration = try LogOverlayVFS.register(overlay)
  }

  func requireUnchanged() throws(StorageError) {
    if overlay.state() == .inconsistent { throw .changing(overlay.path) }
  }
}

/// A database file without a log that is read without a lock.
final class UnguardedFile: UnlockedFile {
  private let path: String
  private let fingerprint: DatabaseView.Fingerprint

  init(_ path: String, _ fingerprint: DatabaseView.Fingerprint) {
    self.path = path
    self.fingerprint = fingerprint
  }

  func requireUnchanged() throws(StorageError) {
    if fingerprint != DatabaseView.Fingerprint(path) { throw .changing(path) }
  }
}

/// A copy of a database and its journals in a folder that only its owner can enter.
///
/// The copy is removed with the object.
final class CopiedFile {
  private let folder: PrivateFolder
  /// The path of the copy.
  var path: String { folder.path + "/copy" }

  init(
    _ original: String, _ source: borrowing DatabaseSource, _ suffixes: [String]
  ) throws(StorageError) {
    folder = try PrivateFolder()
    try source.copy(to: try Descriptor(opening: path, O_CREAT | O_EXCL | O_WRONLY))
    for suffix in suffixes { try DatabaseCopy.copyFile(original + suffix, to: path + suffix) }
  }
}

extension StorageError {
  fileprivate static func changing(_ path: String) -> StorageError {
    StorageError(
      .busy, "cannot query \(quoted(path)): the file changed while it was being read",
      suggestion: "repeat the call when other connections write less often",
      backend: SQLiteBackend.name)
  }
}
