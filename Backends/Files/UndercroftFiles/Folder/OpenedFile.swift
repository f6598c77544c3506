import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The open file of one entry; the file remains readable when another file replaces it.
struct OpenedFile: ~Copyable {
  let file: Descriptor
  let size: Int

  /// Opens a regular file, or returns `nil` if there is none.
  ///
  /// - Throws: an error if `name` is not a regular file, but for example a symbolic link or a pipe.
  static func open(
    _ name: String, in folder: borrowing Descriptor
  ) throws(StorageError) -> OpenedFile? {
    guard try Folder.hasEntry(name, in: folder) else { return nil }
    let file: Descriptor
    do throws(StorageError) {
      // Do not block: opening a pipe would wait for its other end.
      file = try Descriptor(opening: name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      // The file may have been removed between the two calls.
      if try !Folder.hasEntry(name, in: folder) { return nil }
      throw error
    }
    let opened = try file.status()
    guard opened.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .io, "cannot read \(quoted(file.path)): the item at this path is not a regular file",
        suggestion: """
          move the item out of the folder \(quoted(folder.path)), and let only the store write to \
          this folder
          """)
    }
    return OpenedFile(file: file, size: Int(opened.st_size))
  }

  consuming func takeFile() -> Descriptor { file }

  func readAll() throws(StorageError) -> Data { try file.readAll() }
}
