import Foundation
import UndercroftCore
import UndercroftFileSystem

/// The files of an item that a killed command has moved before the main file.
///
/// The main file gets its name last. Without it, the other files belong to no store, but they
/// prevent the command from being repeated.
enum InterruptedItem {
  /// The name of the empty file that is in a temporary folder while its files get their names.
  static let markerName = ".moving"

  /// Removes the files beside a path that a killed command has moved there, and its temporary
  /// folder.
  ///
  /// A file is removed only if the temporary folder belongs to the user and contains the marker
  /// file and the main file but not this file, and if no process has locked the temporary folder.
  ///
  /// - Parameters:
  ///   - path: the path of the main file, at which nothing may exist.
  ///   - suffixes: the suffixes of the names of the files that are moved before the main file.
  static func remove(at path: String, suffixes: [String]) {
    let (parent, name) = (Folder.parent(of: path), Folder.name(of: path))
    let moved = suffixes.filter { FileState(at: path + $0) != nil }
    guard !moved.isEmpty, FileState(at: path) == nil,
      let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
    else { return }
    for folder in names.filter(TemporaryName.matches).map({ parent + "/" + $0 }) {
      let isInterrupted =
        FileState(at: folder)?.owner == geteuid()
        && FileState(at: folder + "/" + markerName) != nil
        && FileState(at: folder + "/" + name) != nil
        && moved.allSatisfy { FileState(at: folder + "/" + name + $0) == nil }
      guard isInterrupted, let lock = try? FolderLock(folder) else { continue }
      for suffix in moved { unlink(path + suffix) }
      try? FileManager.default.removeItem(atPath: folder)
      withExtendedLifetime(lock) {}
      return
    }
  }
}
