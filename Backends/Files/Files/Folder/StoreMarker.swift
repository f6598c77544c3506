import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file that says what a folder is, so that tools know it by its content.
enum StoreMarker {
  static let fileName = ".undercroft-files"
  private static let heading = "undercroft files 1"

  static func text(suffix: String) -> String { "\(heading)\nsuffix \(suffix)\n" }

  /// Returns the suffix of a store's files, or `nil` where there is no marker.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` when the marker is not one of ours, or of a later version.
  static func suffix(in folder: borrowing Descriptor) throws(StorageError) -> String? {
    guard let opened = try OpenedFile.open(fileName, in: folder) else { return nil }
    let text = String(decoding: try opened.file.readAll(limit: 1 << 10), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0] == heading, lines[1].utf8.starts(with: "suffix ".utf8),
      lines[2].isEmpty,
      !lines[1].utf8.contains(UInt8(ascii: "/"))
    else {
      throw StorageError(
        .corrupted,
        "cannot read \(quoted(folder.path + "/" + fileName)): it is damaged, or of a later version",
        cure: "restore it from a backup, or use the version of the toolkit that wrote it")
    }
    return String(lines[1].utf8.dropFirst("suffix ".utf8.count)) ?? ""
  }

  /// Marks a new folder, or checks that an old one is of the same sort.
  static func ensure(_ suffix: String, in folder: borrowing Descriptor) throws(StorageError) {
    guard try self.suffix(in: folder) == nil else { return try check(suffix, in: folder) }
    try ReplacementFile.write(Data(text(suffix: suffix).utf8), to: fileName, in: folder)
  }

  /// Checks that a folder without a marker holds nothing, so that the files of others do not become values.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is a file in it; hidden ones do not count, because no value is hidden.
  static func refuseForeignFiles(in folder: borrowing Descriptor) throws(StorageError) {
    guard try suffix(in: folder) == nil, let name = try foreignName(in: folder),
      // Another opener may have made the store between the two calls.
      try suffix(in: folder) == nil
    else { return }
    throw StorageError(
      .misuse,
      "cannot use \(quoted(folder.path)): it holds \(quoted(name)), which no store of files wrote",
      cure:
        "choose a new or an empty folder, or pass adoptingExistingFiles: true to make its files values"
    )
  }

  private static func foreignName(in folder: borrowing Descriptor) throws(StorageError) -> String? {
    // The root folder of a disk may have "lost+found", which is not the name of a value.
    try Folder.names(in: folder).map(\.exact)
      .filter { $0.text.utf8.first != UInt8(ascii: ".") && $0 != "lost+found".exact }.min()?.text
  }

  /// Checks that a folder is marked, and of the expected sort.
  static func check(_ suffix: String, in folder: borrowing Descriptor) throws(StorageError) {
    guard let found = try self.suffix(in: folder) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(folder.path)): it holds no store of files",
        cure: "check the path")
    }
    guard found.isExactly(suffix) else {
      throw StorageError(
        .misuse,
        "cannot use \(quoted(folder.path)): its files end in \(quoted(found)), not in \(quoted(suffix))",
        cure: "choose the backend that made it, or another folder")
    }
  }
}
