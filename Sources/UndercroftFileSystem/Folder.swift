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
    if mkdir(path, mode) == 0 { return try synchronize(parent(of: path)) }
    if errno == ENOENT, parent(of: path) != path {
      try create(parent(of: path), mode: mode)
      // Once: there are folders, such as /proc, in which none can be made although they are there.
      if mkdir(path, mode) == 0 { return try synchronize(parent(of: path)) }
    }
    switch errno {
    case EEXIST:
      var status = stat()
      guard stat(path, &status) == 0 else { throw .system("examine", path) }
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

  /// Returns the names in an open folder, without "." and "..", in no order.
  package static func names(in folder: borrowing Descriptor) throws(StorageError) -> [String] {
    // A second descriptor, because reading the folder moves its position and closedir closes it.
    let copy = openat(folder.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .system("list", folder.path) }
    guard let stream = fdopendir(copy) else {
      let number = errno
      close(copy)
      throw .system("list", folder.path, number: number)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .system("list", folder.path) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Says whether anything stands at `path`.
  ///
  /// What cannot be examined is an error: it may be there, and must not be taken for absent and replaced.
  package static func hasEntry(at path: String) throws(StorageError) -> Bool {
    if access(path, F_OK) == 0 { return true }
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
