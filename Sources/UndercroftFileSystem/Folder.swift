package import UndercroftCore

/// Work on folders by path: making, listing, flushing.
package enum Folder {
  /// Opens a folder, to work within it by name.
  package static func open(_ path: String) throws(StorageError) -> Descriptor {
    try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
  }

  /// Makes the folder and the missing ones above it, each flushed to the disk; an existing one is left as it is.
  ///
  /// - Parameter mode: of the folders that are made; `0o700` keeps other users out.
  package static func create(_ path: String, mode: mode_t = 0o700) throws(StorageError) {
    if Platform.retrying({ mkdir(path, mode) }) == 0 {
      let parent = try open(parent(of: path))
      // The folder that was there may be one whose maker was killed before it flushed that name.
      try synchronizeParent(of: parent)
      return try parent.synchronize()
    }
    if errno == ENOENT, parent(of: path) != path {
      try create(parent(of: path), mode: mode)
      // Once: there are folders, such as /proc, in which none can be made although they are there.
      if Platform.retrying({ mkdir(path, mode) }) == 0 {
        return try synchronize(parent(of: path))
      }
    }
    switch errno {
    case EEXIST:
      var status = stat()
      guard Platform.retrying({ stat(path, &status) }) == 0 else { throw .system("examine", path) }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .system("make the folder", path, number: ENOTDIR)
      }
    default:
      throw .system("make the folder", path)
    }
  }

  /// Waits until the names in the folder are on the disk.
  package static func synchronize(_ path: String) throws(StorageError) {
    try open(path).synchronize()
  }

  /// Flushes the names that an opener of a store in `folder` finds there; call it once, before the first write.
  ///
  /// A process that is killed between making, renaming or linking a name and flushing the folder leaves a name that
  /// every other process sees, but that a power failure removes. What the next opener writes behind such a name, such as
  /// records in a journal, would be lost with it.
  ///
  /// - Parameter isNew: whether the store is not there yet. The folder may have just been made then, so that its own
  ///   name is flushed too. Every opener flushes both before it puts the store in place, so one that exists needs the
  ///   first flush only.
  package static func synchronizeStore(
    in folder: borrowing Descriptor, isNew: Bool
  ) throws(StorageError) {
    if isNew { try synchronizeParent(of: folder) }
    try folder.synchronize()
  }

  /// Flushes the name of an open folder, if the folder above it may be read.
  private static func synchronizeParent(of folder: borrowing Descriptor) throws(StorageError) {
    let parent: Descriptor
    do throws(StorageError) {
      parent = try Descriptor(opening: "..", in: folder, O_RDONLY | O_DIRECTORY)
    } catch  where error.code == .accessDenied {
      // This process cannot have made a name in a folder such as /home, which others may search but not list.
      return
    }
    try parent.synchronize()
  }

  /// Says whether anything stands at `path`.
  ///
  /// What cannot be examined is an error: it may be there, and must not be taken for absent and replaced.
  package static func hasEntry(at path: String) throws(StorageError) -> Bool {
    if Platform.retrying({ access(path, F_OK) }) == 0 { return true }
    guard errno == ENOENT else { throw .system("examine", path) }
    return false
  }

  /// Returns the path above `path`: "." for a bare name.
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

  /// A path without the slash at its end.
  private static func trimmed(_ path: String) -> Substring {
    let endsInSlash = path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/")
    return endsInSlash ? Substring(path.utf8.dropLast()) : path[...]
  }

  /// Not by characters: a slash before a name that begins with an accent is one with it.
  private static func lastSlash(in path: Substring) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }

  /// Whether a path begins at the root.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }
}
