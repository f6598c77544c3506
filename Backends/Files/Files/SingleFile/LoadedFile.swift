import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a single file, and which file they were read from.
struct LoadedFile: ~Copyable {
  let entries: [ExactString: Data]
  let byteCount: Int
  /// Kept open, so that no later file can be mistaken for this one by its number; `nil` where there was no file.
  private let file: Descriptor?
  private let identity: FileIdentity?

  init(_ path: String, limit: Int) throws(StorageError) {
    var examined = stat()
    if Platform.retrying({ stat(path, &examined) }) != 0 {
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

  /// The file at `path` that was just written with `entries`, or `nil` if another one is there.
  init?(_ path: String, wrote entries: [ExactString: Data], as identity: FileIdentity) {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let status = try? file.status(), FileIdentity(status) == identity
    else { return nil }
    self.entries = entries
    byteCount = Int(status.st_size)
    self.identity = identity
    self.file = consume file
  }

  /// Whether there is no file yet, or none any more.
  var isAbsent: Bool { identity == nil }

  /// Whether the file at `path` is still the one that was read.
  func isCurrent(_ path: String) throws(StorageError) -> Bool { isFile(try FileIdentity(path)) }

  /// Whether the file that was read is the one with this identity; `nil` is the identity of no file.
  func isFile(_ other: FileIdentity?) -> Bool { identity == other }
}
