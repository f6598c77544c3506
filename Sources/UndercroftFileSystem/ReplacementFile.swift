package import UndercroftCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A file being written beside the one it will replace, so that at every instant the old or the new one is there, whole.
///
/// The recipe: an exclusive temporary in the same folder, write, flush, rename, flush the folder. Mode and owner of the old file
/// are retained. If the path is a symbolic link, the file that it leads to is replaced and the link stays.
package struct ReplacementFile: ~Copyable {
  /// The temporary, to be written.
  package var file: Descriptor { _read { yield temporary.file } }
  private let temporary: TemporaryFile
  private let folder: Descriptor
  private let target: String
  /// The mode that the file gets when it is committed.
  private let mode: mode_t
  private var isCommitted = false

  /// What the writer of a file needs until it is committed, whatever the mode of the old file.
  private static let writerMode: mode_t = 0o600

  /// Begins a replacement of the file at `path`, whose folder must exist.
  ///
  /// - Parameter mode: of a file that did not exist before.
  package init(of path: String, mode: mode_t = 0o600) throws(StorageError) {
    let resolved = try FilePath.resolvingLinks(path)
    let folder = try Folder.open(Folder.parent(of: resolved))
    try self.init(of: Folder.name(of: resolved), in: folder, mode: mode)
  }

  /// Begins a replacement of `name` in an open folder; a link there is replaced itself, never followed.
  ///
  /// - Parameter owner: begins the random part of the temporary's name; an opener knows its own temporaries by it.
  package init(
    of name: String, in folder: consuming Descriptor, mode: mode_t = 0o600, owner: String = ""
  ) throws(StorageError) {
    let temporary = try TemporaryFile(in: folder, owner: owner)
    let kept: mode_t
    do throws(StorageError) {
      // A format may open the temporary by its path, which the mode of a read-only file would
      // refuse.
      kept = try Self.keepModeAndOwner(
        of: name, in: folder, on: temporary.file, mode, adding: Self.writerMode)
    } catch {
      unlinkat(folder.raw, temporary.name, 0)
      throw error
    }
    self.temporary = temporary
    self.mode = kept
    self.target = name
    self.folder = folder
  }

  /// Gives a new file the mode and owner of the one that it will replace, or `mode` where there is none.
  ///
  /// - Parameter more: bits that are added to the mode.
  /// - Returns: the mode without these bits.
  @discardableResult
  package static func keepModeAndOwner(
    of target: String, in folder: borrowing Descriptor, on file: borrowing Descriptor,
    _ mode: mode_t, adding more: mode_t = 0
  ) throws(StorageError) -> mode_t {
    var old = stat()
    let exists =
      Platform.retrying { fstatat(folder.raw, target, &old, AT_SYMLINK_NOFOLLOW) } == 0
    // Only the superuser may give files away; for others the owner is theirs anyway.
    if exists && geteuid() == 0 {
      _ = Platform.retrying { fchown(file.raw, old.st_uid, old.st_gid) }
    }
    let kept = exists && old.st_mode & S_IFMT == S_IFREG ? old.st_mode & 0o7777 : mode
    try setMode(kept | more, of: file)
    return kept
  }

  private static func setMode(_ mode: mode_t, of file: borrowing Descriptor) throws(StorageError) {
    guard Platform.retrying({ fchmod(file.raw, mode) }) == 0 else {
      throw .system("set the mode of", file.path)
    }
  }

  /// Flushes the temporary, puts it in the old file's place and flushes the folder.
  ///
  /// If the last flush fails, the new file is in place all the same: every process sees it, but a power failure may bring
  /// the old one back. A caller that must not leave it there has to remove it, and to flush the folder again.
  ///
  /// - Parameters:
  ///   - change: what the error says is in place.
  ///   - flushesFolder: `false` leaves the last flush to the caller.
  /// - Throws: an error which says "is in place" if the last flush fails. After any other error the
  ///   old file is in its place.
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

  /// Replaces the file at `path` by `bytes` in one step.
  package static func write(
    _ bytes: Data, to path: String, mode: mode_t = 0o600
  ) throws(StorageError) {
    let replacement = try ReplacementFile(of: path, mode: mode)
    try replacement.file.write(bytes)
    try replacement.commit()
  }

  /// Replaces the file `name` in an open folder by `bytes` in one step; a link there is replaced itself.
  package static func write(
    _ bytes: Data, to name: String, in folder: borrowing Descriptor, mode: mode_t = 0o600
  ) throws(StorageError) {
    let own = try Descriptor(opening: ".", in: folder, O_RDONLY | O_DIRECTORY)
    let replacement = try ReplacementFile(of: name, in: own, mode: mode)
    try replacement.file.write(bytes)
    try replacement.commit()
  }
}
