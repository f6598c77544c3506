package import UndercroftCore

extension Folder {
  /// A name in a folder, and the kind of the file that it names.
  package struct Entry: Sendable, Equatable {
    /// The kind of a file.
    package enum Kind: Sendable {
      /// A regular file.
      case file
      /// A folder.
      case folder
      /// A symbolic link, a FIFO, a socket or a device.
      case other
    }

    /// The name of the entry in the folder.
    package let name: String
    /// The kind of the file that the entry names.
    package let kind: Kind
  }

  /// Returns the names in an open folder except "." and "..", in no particular order.
  ///
  /// Replacement characters (U+FFFD) replace the bytes of a name that are not valid UTF-8, so such
  /// a name does not lead to its file.
  package static func names(in folder: borrowing Descriptor) throws(StorageError) -> [String] {
    var names: [String] = []
    try read(folder) { (name, _) in names.append(name) }
    return names
  }

  /// Returns the names in an open folder except "." and "..", in no particular order, each of which
  /// leads to its file.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if a name is not valid UTF-8.
  package static func exactNames(in folder: borrowing Descriptor) throws(StorageError) -> [String] {
    var names: [String] = []
    try read(folder, requiringUTF8: true) { (name, _) in names.append(name) }
    return names
  }

  /// Returns the entries of an open folder except "." and "..", in no particular order.
  ///
  /// The kinds are read together with the names (`d_type`). If the file
  /// system does not report kinds, each entry needs a call of `fstatat`.
  package static func entries(in folder: borrowing Descriptor) throws(StorageError) -> [Entry] {
    var entries: [Entry] = []
    try read(folder) { (name, type) throws(StorageError) in
      if let kind = try kind(of: name, type, in: folder) {
        entries.append(Entry(name: name, kind: kind))
      }
    }
    return entries
  }

  /// Returns the kind of an entry, or `nil` if it was removed after its name was read.
  private static func kind(
    of name: String, _ type: Int32, in folder: borrowing Descriptor
  ) throws(StorageError) -> Entry.Kind? {
    switch type {
    case Int32(DT_REG): return .file
    case Int32(DT_DIR): return .folder
    case Int32(DT_UNKNOWN): break
    default: return .other
    }
    guard let status = try status(of: name, in: folder) else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Calls `body` with each name in a folder and its type, such as `DT_REG` (`readdir`).
  ///
  /// - Parameter requiringUTF8: whether a name that is not valid UTF-8 is an error.
  private static func read(
    _ folder: borrowing Descriptor, requiringUTF8: Bool = false,
    _ body: (String, Int32) throws(StorageError) -> Void
  ) throws(StorageError) {
    // Uses a second file descriptor, because reading moves the
    // position of a descriptor, and `closedir` closes the descriptor.
    let copy = Platform.retrying { openat(folder.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard copy >= 0 else { throw .system("list", folder.path) }
    guard let stream = fdopendir(copy) else {
      let number = errno
      close(copy)
      throw .system("list", folder.path, number: number)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno == EINTR { continue }
        guard errno == 0 else { throw .system("list", folder.path) }
        return
      }
      let (name, isExact) = withUnsafeBytes(of: &entry.pointee.d_name) { buffer -> (String, Bool) in
        let bytes = buffer.prefix { $0 != 0 }
        let name = String(decoding: bytes, as: UTF8.self)
        return (name, !requiringUTF8 || name.utf8.elementsEqual(bytes))
      }
      guard isExact else { throw invalidName(name, in: folder) }
      if name != "." && name != ".." { try body(name, Int32(entry.pointee.d_type)) }
    }
  }

  private static func invalidName(
    _ name: String, in folder: borrowing Descriptor
  ) -> StorageError {
    StorageError(
      .notSupported,
      """
      cannot open \(quoted(folder.path + "/" + name)): the name of this file or folder is not valid \
      UTF-8
      """,
      suggestion: "rename each file and folder whose name is not valid UTF-8")
  }
}
