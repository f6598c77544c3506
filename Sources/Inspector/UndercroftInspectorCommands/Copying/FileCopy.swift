import Foundation
import UndercroftCore
import UndercroftFileSystem

/// The copying of single files, folders and symbolic links.
enum FileCopy {
  private static let chunkSize = 1 << 20

  /// Copies one item without the entries of a folder, and returns the state of the item that was
  /// copied, or `nil` if another process has replaced or removed the item.
  ///
  /// The copy has a mode that allows its owner to write to it until ``copyAttributes(_:to:)``. A
  /// FIFO, a socket or a device is not copied.
  static func copy(
    _ source: String, _ expected: FileState, to copy: String
  ) throws(StorageError) -> FileState? {
    switch expected.kind {
    case .file: return try copyFile(source, expected, to: copy)
    case .folder:
      guard mkdir(copy, 0o700) == 0 || errno == EEXIST else { throw .system("create", copy) }
    case .link: return try copyLink(source, to: copy) ? expected : nil
    case .other: break
    }
    return expected
  }

  /// Copies a symbolic link with the bytes of its target, which need not be valid UTF-8, and
  /// returns whether a link is at the path.
  private static func copyLink(_ path: String, to copy: String) throws(StorageError) -> Bool {
    // The target ends at the first of the remaining zeros.
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let size = Int(PATH_MAX)
    guard Platform.retrying({ readlink(path, &target, size) }) >= 0 else {
      let number = errno
      // Another process has removed or replaced the link.
      if [ENOENT, ENOTDIR, EINVAL].contains(number) { return false }
      throw .system("read", path, number: number)
    }
    // A store that is reached through the link may have been copied to this place already.
    guard symlink(target, copy) == 0 || errno == EEXIST else { throw .system("create", copy) }
    return true
  }

  private static func copyFile(
    _ path: String, _ expected: FileState, to copy: String
  ) throws(StorageError) -> FileState? {
    guard let source = try open(path, expected) else { return nil }
    let state = FileState(try source.status())
    let target = try Descriptor(opening: copy, O_CREAT | O_TRUNC | O_NOFOLLOW | O_WRONLY)
    var offset = 0
    // Without this end, the copy of a file to which another process appends could never end.
    while offset < state.byteCount {
      let chunk = try source.read(min(chunkSize, state.byteCount - offset), at: offset)
      if chunk.isEmpty { break }
      try target.write(chunk)
      offset += chunk.count
    }
    return state
  }

  /// Opens a file, or returns `nil` if another file is at the path now.
  private static func open(
    _ path: String, _ expected: FileState
  ) throws(StorageError) -> Descriptor? {
    do throws(StorageError) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard FileState(try file.status()).isSameFile(as: expected) else { return nil }
      return file
    } catch {
      if FileState(at: path)?.kind != .file { return nil }
      throw error
    }
  }

  /// Returns whether a file still begins with the bytes of its copy.
  static func begins(
    _ path: String, _ expected: FileState, with copy: String
  ) throws(StorageError) -> Bool {
    guard let source = try open(path, expected) else { return false }
    let target = try Descriptor(opening: copy, O_RDONLY | O_NOFOLLOW)
    var offset = 0
    while true {
      let bytes = try target.read(chunkSize, at: offset)
      if bytes.isEmpty { return true }
      guard try source.read(bytes.count, at: offset) == bytes else { return false }
      offset += bytes.count
    }
  }

  /// Sets the mode and the modification time of a copy to those of a file, and flushes its content.
  ///
  /// The superuser also copies the owner.
  static func copyAttributes(_ state: FileState, to copy: String) throws(StorageError) {
    guard state.kind == .file || state.kind == .folder else { return }
    let file = try Descriptor(opening: copy, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    if geteuid() == 0 { _ = fchown(file.raw, state.owner, state.group) }
    guard fchmod(file.raw, state.mode) == 0 else { throw .system("set the mode of", copy) }
    guard futimens(file.raw, [state.modified, state.modified]) == 0 else {
      throw .system("set the time of", copy)
    }
    try file.synchronize()
  }
}
