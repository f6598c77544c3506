import Foundation
import UndercroftCore
import UndercroftFileSystem

/// The files of an item that a killed command has moved before the main file, and its temporary
/// folder.
///
/// The main file gets its name last. Without it, the other files belong to no store, but they
/// prevent the command from being repeated.
struct InterruptedItem {
  /// The name of the empty file that is in a temporary folder while its files get their names.
  static let markerName = ".moving"

  /// The suffixes of the names of the moved files beside the path.
  private(set) var movedSuffixes: [String] = []
  private let path: String
  /// The temporary folder, which this process has locked.
  private var folder: (path: String, lock: FolderLock)?

  /// Finds the files beside a path that a killed command has moved there.
  ///
  /// A file is found only if the temporary folder contains the marker file and the main file but not this
  /// file, and if no process has locked the temporary folder.
  ///
  /// - Parameters:
  ///   - path: the path of the main file.
  ///   - suffixes: the suffixes of the names of the files that are moved before the main file.
  init(at path: String, suffixes: [String]) {
    self.path = path
    let (parent, name) = (Folder.parent(of: path), Folder.name(of: path))
    let existing = suffixes.filter { FileState(at: path + $0) != nil }
    guard !existing.isEmpty, FileState(at: path) == nil,
      let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
    else { return }
    for folder in names.filter(TemporaryName.matches).map({ parent + "/" + $0 }) {
      let isInterrupted =
        FileState(at: folder + "/" + Self.markerName) != nil
        && FileState(at: folder + "/" + name) != nil
        && existing.allSatisfy { FileState(at: folder + "/" + name + $0) == nil }
      guard isInterrupted, let lock = try? FolderLock(folder) else { continue }
      self.folder = (folder, lock)
      movedSuffixes = existing
      return
    }
  }

  /// The paths of the files and of the temporary folder, which ``remove()`` removes.
  var paths: [String] { movedSuffixes.map { path + $0 } + (folder.map { [$0.path] } ?? []) }

  /// Removes the files and the temporary folder.
  ///
  /// Before this, the caller checks that nothing exists at the path. While this process holds the
  /// lock, no other process can create the item from the temporary folder.
  func remove() {
    for suffix in movedSuffixes { unlink(path + suffix) }
    if let folder { try? FileManager.default.removeItem(atPath: folder.path) }
  }
}
