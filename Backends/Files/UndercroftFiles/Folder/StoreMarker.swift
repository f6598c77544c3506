import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The hidden file that identifies a folder as a store of files, so that tools can recognise it.
enum StoreMarker {
  static let fileName = ".undercroft-files"
  private static let title = "undercroft files "
  private static let currentVersion = 1

  static func text(suffix: String) -> String { "\(title)\(currentVersion)\nsuffix \(suffix)\n" }

  /// Returns the file name suffix of the store in a folder, or `nil` if the folder has no marker.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if the marker is damaged,
  ///   ``StorageError/Code/notSupported`` if a later version of the toolkit has written it.
  static func suffix(in folder: borrowing Descriptor) throws(StorageError) -> String? {
    guard let opened = try OpenedFile.open(fileName, in: folder) else { return nil }
    let text = String(decoding: try opened.file.readAll(limit: 1 << 10), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let path = folder.path + "/" + fileName
    if let version = lines.first.flatMap({ Self.version(in: $0) }), version > currentVersion {
      throw StorageError(
        .notSupported,
        """
        cannot read \(quoted(path)): the store has the format version \(version), and this version \
        of Undercroft supports only the format version \(currentVersion)
        """,
        suggestion: "use the version of Undercroft that wrote the store")
    }
    guard lines.count == 3, lines[0].utf8.elementsEqual("\(title)\(currentVersion)".utf8),
      lines[1].utf8.starts(with: "suffix ".utf8),
      lines[2].isEmpty,
      !lines[1].utf8.contains(UInt8(ascii: "/"))
    else {
      throw StorageError(
        .corrupted,
        """
        cannot read \(quoted(path)): the file does not consist of a format version and a file name \
        suffix
        """,
        suggestion: "restore the file from a backup; nothing was changed")
    }
    return String(lines[1].utf8.dropFirst("suffix ".utf8.count)) ?? ""
  }

  /// Returns the format version in the first line of a marker, or `nil` if the line has another
  /// form.
  private static func version(in line: Substring) -> Int? {
    guard line.utf8.starts(with: title.utf8) else { return nil }
    let digits = line.utf8.dropFirst(title.utf8.count)
    guard let first = digits.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else {
      return nil
    }
    return Int(Substring(digits))
  }

  /// Creates the marker in a new folder, or checks that the marker of an existing store has the
  /// same suffix.
  static func ensure(_ suffix: String, in folder: borrowing Descriptor) throws(StorageError) {
    guard try self.suffix(in: folder) == nil else { return try check(suffix, in: folder) }
    try ReplacementFile.write(Data(text(suffix: suffix).utf8), to: fileName, in: folder)
  }

  /// Checks that a folder without a marker contains no files, so that files of other programs do
  /// not become values.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the folder contains a file. Hidden files are
  ///   ignored, because the file of a value is never hidden.
  static func rejectForeignFiles(in folder: borrowing Descriptor) throws(StorageError) {
    guard try suffix(in: folder) == nil, let name = try foreignName(in: folder),
      // Another instance may have created the store between the two calls.
      try suffix(in: folder) == nil
    else { return }
    throw StorageError(
      .misuse,
      """
      cannot use \(quoted(folder.path)): the folder contains \(quoted(name)), but not the file \
      \(quoted(fileName)), which every store of .files(in:) or .propertyLists(in:) contains
      """,
      suggestion: """
        choose a new or an empty folder, or open the backend with adoptingExistingFiles: true to \
        use the existing files as values
        """)
  }

  private static func foreignName(in folder: borrowing Descriptor) throws(StorageError) -> String? {
    // The root folder of a disk may contain "lost+found", which is not a value.
    try Folder.names(in: folder).map(\.exact)
      .filter { $0.text.utf8.first != UInt8(ascii: ".") && $0 != "lost+found".exact }.min()?.text
  }

  /// Checks that a folder has a marker with the expected suffix, unless the folder belongs to a
  /// store that is being created.
  ///
  /// The marker is written after the folder and the lock file. If a process is killed before it
  /// writes the marker, the store has no values, and the next writer completes its creation.
  static func checkUnlessNew(
    _ suffix: String, in folder: borrowing Descriptor
  ) throws(StorageError) {
    // If another instance creates the store between the two calls, the second one finds its marker.
    guard try self.suffix(in: folder) == nil, try isNew(folder) else {
      return try check(suffix, in: folder)
    }
  }

  /// Returns whether a folder contains nothing but files that exist before the marker.
  private static func isNew(_ folder: borrowing Descriptor) throws(StorageError) -> Bool {
    try Folder.names(in: folder).allSatisfy { name in
      name.isExactly(EntryFolder.lockName) || TemporaryFile.isTemporary(name)
        || name.isExactly("lost+found")
    }
  }

  /// Checks that a folder has a marker with the expected suffix.
  static func check(_ suffix: String, in folder: borrowing Descriptor) throws(StorageError) {
    guard let found = try self.suffix(in: folder) else {
      throw StorageError(
        .unavailable,
        """
        cannot open \(quoted(folder.path)): the folder does not contain the file \
        \(quoted(fileName)), which every store of .files(in:) or .propertyLists(in:) contains
        """,
        suggestion: """
          check the path of the folder; if the path is correct, restore the file \
          \(quoted(fileName)) from a backup
          """)
    }
    guard found.isExactly(suffix) else {
      throw StorageError(
        .misuse,
        """
        cannot use \(quoted(folder.path)): the names of the files in this folder have \
        \(text(of: found)), but the backend requires names with \(text(of: suffix))
        """,
        suggestion: """
          use the backend that created the folder (.files(in:) or .propertyLists(in:)), or choose \
          another folder
          """)
    }
  }

  private static func text(of suffix: String) -> String {
    suffix.isEmpty ? "no suffix" : "the suffix \(quoted(suffix))"
  }
}
