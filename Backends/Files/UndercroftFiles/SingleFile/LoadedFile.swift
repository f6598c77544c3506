import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The entries of a single-file store, and the version of the file that contained them.
struct LoadedFile: ~Copyable {
  let entries: [ExactString: Data]
  let byteCount: Int
  /// A descriptor of the loaded file, or `nil` if there was no file.
  ///
  /// The descriptor stays open so that no later file can have the same inode number.
  private let file: Descriptor?
  private let version: FileVersion?

  init(_ path: String, limit: Int) throws(StorageError) {
    var examined = stat()
    if Platform.retrying({ stat(path, &examined) }) != 0 {
      // After any other error, the file may exist and must not be treated as absent.
      guard errno == ENOENT else { throw .system("read the attributes of", path) }
      entries = [:]
      byteCount = 0
      file = nil
      version = nil
      return
    }
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    let status = try file.status()
    entries = try SingleFileFormat.read(file, limit: limit)
    byteCount = Int(status.st_size)
    version = FileVersion(status)
    self.file = consume file
  }

  /// Opens the file at `path`, which the caller has
  /// just written with `entries`, without decoding it.
  ///
  /// Returns `nil` if the file cannot be opened, or if its version
  /// is not `version`, because another file has replaced it.
  init?(_ path: String, wrote entries: [ExactString: Data], as version: FileVersion) {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let status = try? file.status(), FileVersion(status) == version
    else { return nil }
    self.entries = entries
    byteCount = Int(status.st_size)
    self.version = version
    self.file = consume file
  }

  /// Whether there was no file at the path when the entries were loaded.
  var isAbsent: Bool { version == nil }

  /// Returns whether the file at `path` is still the file that was read.
  func isCurrent(_ path: String) throws(StorageError) -> Bool {
    isVersion(try FileVersion(at: path))
  }

  /// Returns whether the file that was read has the version
  /// `other`, where `nil` means that there was no file.
  func isVersion(_ other: FileVersion?) -> Bool { version == other }
}
