package import UndercroftCore
package import UndercroftFoundation

/// A new file that atomically replaces an old file, so that readers always see either the old or
/// the new content.
///
/// The content is written to an exclusive temporary file in the same folder.
/// Committing flushes the file, renames it, and flushes the folder. The mode of the
/// old file is retained, and also the owner if the process runs as the superuser.
/// If the path is a symbolic link, its target is replaced and the link remains.
package struct ReplacementFile: ~Copyable {
  /// The temporary file that receives the new content.
  package var file: Descriptor { _read { yield temporary.file } }
  private let temporary: TemporaryFile
  private let folder: Descriptor
  private let target: String
  /// The mode that the file gets when it is committed.
  private let mode: mode_t
  private var isCommitted = false

  /// The mode bits that the temporary file has before the
  /// commit, in addition to the mode of the old file.
  ///
  /// A library may open the temporary file by its path,
  /// which the mode of a read-only file would prevent.
  private static let writerMode: mode_t = 0o600

  /// Begins a replacement of the file at `path`, whose folder must exist.
  ///
  /// - Parameter mode: the mode of the new file if no old file exists.
  package init(of path: String, mode: mode_t = 0o600) throws(StorageError) {
    let resolved = try FilePath.resolvingLinks(path)
    let folder = try Folder.open(Folder.parent(of: resolved))
    try self.init(of: Folder.name(of: resolved), in: folder, mode: mode)
  }

  /// Begins a replacement of `name` in an open folder; a
  /// symbolic link is replaced itself, not followed.
  ///
  /// - Parameter owner: the first characters of the random part of the temporary file's name. An
  ///   instance of a store recognises its own temporary files by these characters.
  package init(
    of name: String, in folder: consuming Descriptor, mode: mode_t = 0o600, owner: String = ""
  ) throws(StorageError) {
    let temporary = try TemporaryFile(in: folder, owner: owner)
    let newMode: mode_t
    do throws(StorageError) {
      // A library may open the temporary file by its path,
      // which the mode of a read-only file would prevent.
      newMode = try Self.copyModeAndOwner(
        of: name, in: folder, on: temporary.file, mode, adding: Self.writerMode)
    } catch {
      unlinkat(folder.raw, temporary.name, 0)
      throw error
    }
    self.temporary = temporary
    self.mode = newMode
    self.target = name
    self.folder = folder
  }

  /// Gives a new file the mode of the file that it will replace, or `mode`
  /// if there is no such regular file; the superuser also copies the owner.
  ///
  /// - Parameter more: additional bits of the mode.
  /// - Returns: the mode without the additional bits.
  @discardableResult
  package static func copyModeAndOwner(
    of target: String, in folder: borrowing Descriptor, on file: borrowing Descriptor,
    _ mode: mode_t, adding more: mode_t = 0
  ) throws(StorageError) -> mode_t {
    var old = stat()
    let exists =
      Platform.retrying { fstatat(folder.raw, target, &old, AT_SYMLINK_NOFOLLOW) } == 0
    // Only the superuser can change the owner of a file. A file
    // that another user creates belongs to that user already.
    if exists && geteuid() == 0 {
      _ = Platform.retrying { fchown(file.raw, old.st_uid, old.st_gid) }
    }
    let newMode = exists && old.st_mode & S_IFMT == S_IFREG ? old.st_mode & 0o7777 : mode
    try setMode(newMode | more, of: file)
    return newMode
  }

  private static func setMode(_ mode: mode_t, of file: borrowing Descriptor) throws(StorageError) {
    guard Platform.retrying({ fchmod(file.raw, mode) }) == 0 else {
      throw .system("set the mode of", file.path)
    }
  }

  /// Flushes the temporary file, replaces the old file with it, and flushes the folder.
  ///
  /// If flushing the folder fails, every process sees the new file, but a
  /// power failure may restore the old file. A caller that must not leave
  /// the new file in the folder has to remove it and flush the folder again.
  ///
  /// - Parameters:
  ///   - change: a description of the completed change for the error message.
  ///   - flushesFolder: whether this method flushes the folder.
  ///     If it does not, the caller must flush the folder.
  /// - Throws: if only the flush of the folder fails, an error whose message
  ///   says that the change is in place, but that a power failure may undo
  ///   the change. After any other error, the old file is unchanged.
  package consuming func commit(
    of change: String = "the new file", flushesFolder: Bool = true
  ) throws(StorageError) {
    if mode | Self.writerMode != mode { try Self.setMode(mode, of: file) }
    try file.synchronize()
    let result = Platform.retrying {
      renameat(folder.raw, temporary.name, folder.raw, target)
    }
    guard result == 0 else { throw .system("replace", folder.path + "/" + target) }
    isCommitted = true
    if flushesFolder {
      try Folder.synchronize(folder, after: change, of: folder.path + "/" + target)
    }
  }

  deinit {
    if !isCommitted { unlinkat(folder.raw, temporary.name, 0) }
  }

  /// Replaces the file at `path` atomically with `bytes`.
  package static func write(
    _ bytes: Data, to path: String, mode: mode_t = 0o600
  ) throws(StorageError) {
    let replacement = try ReplacementFile(of: path, mode: mode)
    try replacement.file.write(bytes)
    try replacement.commit()
  }

  /// Replaces the file `name` in an open folder atomically
  /// with `bytes`; a symbolic link is replaced itself.
  package static func write(
    _ bytes: Data, to name: String, in folder: borrowing Descriptor, mode: mode_t = 0o600
  ) throws(StorageError) {
    let own = try Descriptor(opening: ".", in: folder, O_RDONLY | O_DIRECTORY)
    let replacement = try ReplacementFile(of: name, in: own, mode: mode)
    try replacement.file.write(bytes)
    try replacement.commit()
  }
}
