package import UndercroftCore

/// Operations that create, open, flush and query folders.
package enum Folder {
  /// Opens a folder, so that its entries can be accessed by name.
  package static func open(_ path: String) throws(StorageError) -> Descriptor {
    try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
  }

  /// Creates a folder and its missing parents, and flushes their
  /// directory entries to the disk; an existing folder is not changed.
  ///
  /// - Parameter mode: the mode of the created folders; `0o700` denies access to other users.
  package static func create(_ path: String, mode: mode_t = 0o700) throws(StorageError) {
    if Platform.retrying({ mkdir(path, mode) }) == 0 {
      let parent = try open(parent(of: path))
      // The process that created the existing parent may have
      // been killed before it flushed the parent's name.
      try synchronizeParent(of: parent)
      return try parent.synchronize()
    }
    if errno == ENOENT, parent(of: path) != path {
      try create(parent(of: path), mode: mode)
      // Retried only once, because some existing folders,
      // such as /proc, report `ENOENT` for any new entry.
      if Platform.retrying({ mkdir(path, mode) }) == 0 {
        return try synchronize(parent(of: path))
      }
    }
    switch errno {
    case EEXIST:
      var status = stat()
      guard Platform.retrying({ stat(path, &status) }) == 0 else {
        throw .system("read the attributes of", path)
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .system("create the folder", path, number: ENOTDIR)
      }
    default:
      throw .system("create the folder", path)
    }
  }

  /// Creates the folder at `path` if it is missing, and flushes its directory entry in any case.
  ///
  /// Call this method before a new file of a store is created in the folder. An earlier process may
  /// have created the folder, and may have been killed before it flushed the directory entry. A
  /// power failure would then remove the folder together with the new file.
  package static func createDurably(_ path: String) throws(StorageError) {
    try create(path)
    try synchronizeParent(of: try open(path))
  }

  /// Flushes the folder at `path` to the disk, so that a power failure does not undo the creation,
  /// renaming or removal of files in it (`fsync`).
  package static func synchronize(_ path: String) throws(StorageError) {
    try open(path).synchronize()
  }

  /// Flushes the directory entries that an instance of a store finds in
  /// `folder`; call this method once, before the first write.
  ///
  /// A process may be killed after it has changed an entry and before it flushes the folder. Every
  /// process then sees the changed entry, but a power failure undoes the change. Data that the next
  /// instance writes to the file of this entry, such as records in a journal, would then be lost.
  ///
  /// - Parameters:
  ///   - folder: the open folder of the store.
  ///   - isNew: whether the store does not exist yet. In that case the folder may be
  ///     new as well, so its own entry in its parent is also flushed. Every instance does
  ///     this before it creates the store, so it is unnecessary for an existing store.
  package static func synchronizeStore(
    in folder: borrowing Descriptor, isNew: Bool
  ) throws(StorageError) {
    if isNew { try synchronizeParent(of: folder) }
    try folder.synchronize()
  }

  /// Flushes the directory entry of an open folder, if its parent is readable and can be flushed.
  private static func synchronizeParent(of folder: borrowing Descriptor) throws(StorageError) {
    let parent: Descriptor
    do throws(StorageError) {
      parent = try Descriptor(opening: "..", in: folder, O_RDONLY | O_DIRECTORY)
    } catch  where error.code == .accessDenied {
      // This process cannot have created a name in a folder such
      // as /home, which other users can search but not list.
      return
    }
    do throws(StorageError) { try parent.synchronize() } catch {
      // The parent may be in a read-only image, which cannot be flushed and in which no process
      // can have created a name. The open folder is then the root of another file system.
      let number = (error.underlying as? SystemError)?.number
      guard number == EINVAL || number == EROFS else { throw error }
    }
  }

  /// Returns whether a file or folder exists at `path`; symbolic links are followed.
  ///
  /// - Throws: an error if the system call fails for another reason than a missing file, because a
  ///   file that must not be replaced may exist at `path`.
  package static func hasEntry(at path: String) throws(StorageError) -> Bool {
    if Platform.retrying({ access(path, F_OK) }) == 0 { return true }
    guard errno == ENOENT else { throw .system("read the attributes of", path) }
    return false
  }

  /// Returns whether an open folder has an entry `name`; symbolic links are not followed.
  ///
  /// - Throws: an error if the system call fails for another reason than a missing entry.
  package static func hasEntry(
    _ name: String, in folder: borrowing Descriptor
  ) throws(StorageError) -> Bool {
    try status(of: name, in: folder) != nil
  }

  /// Returns the properties of the entry `name` in an open folder, or `nil`
  /// if there is none; symbolic links are not followed (`fstatat`).
  package static func status(
    of name: String, in folder: borrowing Descriptor
  ) throws(StorageError) -> stat? {
    var status = stat()
    let directory = folder.raw
    if Platform.retrying({ fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) }) != 0 {
      guard errno == ENOENT else {
        throw .system("read the attributes of", folder.path + "/" + name)
      }
      return nil
    }
    return status
  }

  /// Returns the parent folder of `path`, or "." for a bare name.
  package static func parent(of path: String) -> String {
    let trimmed = trimmed(path)
    guard let slash = lastSlash(in: trimmed) else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  /// Returns the last component of `path`.
  package static func name(of path: String) -> String {
    let trimmed = trimmed(path)
    return String(
      lastSlash(in: trimmed).map { trimmed[trimmed.utf8.index(after: $0)...] } ?? trimmed)
  }

  /// Returns a path without the slash at its end, if there is one; the path "/" remains unchanged.
  private static func trimmed(_ path: String) -> Substring {
    let endsInSlash = path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/")
    return endsInSlash ? Substring(path.utf8.dropLast()) : path[...]
  }

  /// Returns the index of the last slash, or `nil` if there is none.
  ///
  /// The function compares bytes, because Swift treats a slash and a following
  /// combining accent as one character, which is not equal to a slash.
  private static func lastSlash(in path: Substring) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }

  /// Returns whether a path is absolute.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }
}
