import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a single file, and which file they were read from.
struct LoadedFile: ~Copyable {
  let entries: [String: Data]
  let byteCount: Int
  /// Kept open, so that no later file can be mistaken for this one by its number; `nil` where there was no file.
  private let file: Descriptor?
  private let identity: FileIdentity?

  init(_ path: String, limit: Int) throws(StorageError) {
    var examined = stat()
    if stat(path, &examined) != 0 {
      // Whatever else stands in the way, the file may be there and must not be taken for absent.
      guard errno == ENOENT else { throw .system("examine", path) }
      entries = [:]
      byteCount = 0
      file = nil
      identity = nil
      return
    }
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    let status = try file.status()
    entries = try SingleFileFormat.read(file, limit: limit)
    byteCount = Int(status.st_size)
    identity = FileIdentity(status)
    self.file = consume file
  }

  /// Whether there is no file yet, or none any more.
  var isAbsent: Bool { identity == nil }

  /// Whether the file at `path` is still the one that was read.
  func isCurrent(_ path: String) -> Bool { FileIdentity(path) == identity }
}

/// Which file, and how it was when last examined.
private struct FileIdentity: Equatable {
  let device: dev_t
  let number: ino_t
  let size: off_t

  init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
    size = status.st_size
  }

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
