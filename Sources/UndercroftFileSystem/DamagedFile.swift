package import UndercroftCore
package import UndercroftInspection

/// The preservation of damaged files beside their stores, under names such
/// as `settings.journal.damaged-1`; the stores continue without these files.
package enum DamagedFile {
  /// The maximum number of preserved copies of one file,
  /// so that recurring damage cannot fill the disk.
  private static let limit = 9

  /// Gives the file at `path` a second name beside it, as a hard link, so that the damaged file
  /// remains when another file replaces it at `path`.
  ///
  /// The mode and the owner do not change. A second call for the same file, or for a file
  /// with the same bytes, returns the same name, so that an interrupted attempt to open
  /// the store can be repeated. If the file system has no hard links, the file is copied.
  ///
  /// - Returns: the path of the preserved file.
  /// - Throws: ``StorageError/Code/corrupted`` if nine damaged copies of the file already exist.
  package static func preserve(_ path: String) throws(StorageError) -> String {
    let folder = try Folder.open(Folder.parent(of: path))
    let name = Folder.name(of: path)
    var original = stat()
    guard fstatat(folder.raw, name, &original, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .system("read the attributes of", path)
    }
    for number in 1...limit {
      let copy = Self.name(number, of: name)
      var other = stat()
      if fstatat(folder.raw, copy, &other, AT_SYMLINK_NOFOLLOW) == 0 {
        let isSame = FileIdentity(other) == FileIdentity(original)
        if !isSame, try !haveSameBytes(name, copy, original, other, in: folder) { continue }
      } else if linkat(folder.raw, name, folder.raw, copy, 0) != 0 {
        if errno == EEXIST { continue }
        try duplicate(name, as: copy, original.st_mode & 0o7777, in: folder)
      }
      try folder.synchronize()
      return Self.name(number, of: path)
    }
    throw StorageError(
      .corrupted,
      """
      cannot preserve the damaged file \(quoted(path)): the folder already contains the maximum \
      of \(limit) preserved copies of this file
      """,
      suggestion: """
        move the preserved copies (\(quoted(Self.name(1, of: name))), …, \
        \(quoted(Self.name(limit, of: name)))) to another folder, and check the disk for errors, \
        which may be the cause of the damage
        """)
  }

  /// Returns the paths of the preserved copies of the
  /// file at `path`, in ascending order of their numbers.
  private static func copies(of path: String) -> [String] {
    (1...limit).map { name($0, of: path) }.filter { access($0, F_OK) == 0 }
  }

  /// Returns the facts for an ``InspectionReport``: a description of `damage` unless
  /// it is `nil`, and the paths of the preserved copies of the file at `path`.
  package static func facts(
    _ damage: StoreDamage?, of path: String
  ) -> [InspectionReport.Fact] {
    let found = damage.map { [InspectionReport.Fact("damage", "\($0)")] } ?? []
    return found + copies(of: path).map { .init("preserved damaged file", $0) }
  }

  /// Returns whether a file and its copy have the same size and bytes.
  ///
  /// The copy is a separate file if the file system has no hard links.
  private static func haveSameBytes(
    _ name: String, _ copy: String, _ original: stat, _ other: stat, in folder: borrowing Descriptor
  ) throws(StorageError) -> Bool {
    guard other.st_mode & S_IFMT == S_IFREG, other.st_size == original.st_size else { return false }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    let left = try Descriptor(opening: name, in: folder, flags)
    let right = try Descriptor(opening: copy, in: folder, flags)
    var offset = 0
    while true {
      let bytes = try left.read(1 << 20, at: offset)
      guard try right.read(1 << 20, at: offset) == bytes else { return false }
      if bytes.isEmpty { return true }
      offset += bytes.count
    }
  }

  /// Copies a file if `linkat` has failed because a hard link is not possible.
  ///
  /// If `linkat` has failed for another reason, throws an error for the value of `errno`.
  private static func duplicate(
    _ name: String, as copy: String, _ mode: mode_t, in folder: borrowing Descriptor
  ) throws(StorageError) {
    guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK else {
      throw .system("create a copy of the damaged file", folder.path + "/" + name)
    }
    let file = try Descriptor(opening: name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let own = try Descriptor(opening: ".", in: folder, O_RDONLY | O_DIRECTORY)
    let replacement = try ReplacementFile(of: copy, in: own, mode: mode)
    let size = Int(try file.status().st_size)
    var offset = 0
    try file.forEachPiece(of: 0..<size) { (piece) throws(StorageError) in
      // Writing no zeros preserves the holes of a sparse file.
      if piece.contains(where: { $0 != 0 }) { try replacement.file.write(piece, at: offset) }
      offset += piece.count
      return true
    }
    try replacement.file.truncate(to: offset)
    try replacement.commit()
  }

  private static func name(_ number: Int, of name: String) -> String {
    "\(name).damaged-\(number)"
  }
}
