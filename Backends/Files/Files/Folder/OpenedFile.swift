import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The open file of one entry: as it was when it was opened, whatever is put in its place meanwhile.
struct OpenedFile: ~Copyable {
  let file: Descriptor
  let size: Int

  /// Opens a regular file, or returns `nil` when there is none; a link or a pipe in its place is an error.
  static func open(
    _ name: String, in folder: borrowing Descriptor
  ) throws(StorageError) -> OpenedFile? {
    guard try FileIdentity(name, in: folder) != nil else { return nil }
    let file: Descriptor
    do throws(StorageError) {
      // Without waiting: opening a pipe would wait for its other end.
      file = try Descriptor(opening: name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      // Removed between the two calls.
      if try FileIdentity(name, in: folder) == nil { return nil }
      throw error
    }
    let opened = try file.status()
    guard opened.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .io, "cannot read \(quoted(file.path)): it is no regular file",
        cure: "remove it; only the store writes into this folder")
    }
    return OpenedFile(file: file, size: Int(opened.st_size))
  }

  /// Returns the file itself.
  consuming func takeFile() -> Descriptor { file }

  func readAll() throws(StorageError) -> Data { try file.readAll() }
}
