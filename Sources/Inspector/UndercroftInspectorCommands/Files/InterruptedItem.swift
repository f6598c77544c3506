import Foundation
import UndercroftCore
import UndercroftFileSystem

/// What killed commands have left of an item: their temporary folders, and the files that they have
/// moved before the main file.
///
/// The main file gets its name last. Without it, the other files belong to no store, but they
/// prevent the command from being repeated.
struct InterruptedItem {
  /// The name of the empty file that is in a temporary folder while its files get their names.
  static let markerName = ".moving"

  /// The suffixes of the names of the moved files beside the path.
  private(set) var movedSuffixes: [String] = []
  private let path: String
  /// The temporary folders, which this process has locked.
  private var folders: [(path: String, lock: FolderLock)] = []

  /// Finds what killed commands have left beside a path at which nothing exists.
  ///
  /// A temporary folder is found if it belongs to this user and contains the main file, and if no
  /// process has locked it. A command locks its folder before it creates the main file. A moved
  /// file is found only if such a folder contains the marker file, but not this file.
  ///
  /// - Parameters:
  ///   - path: the path of the main file.
  ///   - suffixes: the suffixes of the names of the files that are moved before the main file.
  init(at path: String, suffixes: [String] = []) {
    self.path = path
    let (parent, name) = (Folder.parent(of: path), Folder.name(of: path))
    guard FileState(at: path) == nil,
      let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
    else { return }
    let existing = suffixes.filter { FileState(at: path + $0) != nil }
    for folder in names.filter(TemporaryFile.isTemporary).map({ parent + "/" + $0 }) {
      guard let state = FileState(at: folder), state.kind == .folder, state.owner == geteuid(),
        FileState(at: folder + "/" + name) != nil, let lock = try? FolderLock(folder)
      else { continue }
      folders.append((folder, lock))
      if FileState(at: folder + "/" + Self.markerName) != nil,
        existing.allSatisfy({ FileState(at: folder + "/" + name + $0) == nil })
      {
        movedSuffixes = existing
      }
    }
  }

  /// The paths of the files and of the temporary folders, which ``remove()`` removes.
  var paths: [String] { movedSuffixes.map { path + $0 } + folders.map { $0.path } }

  /// Removes the files and the temporary folders.
  ///
  /// Before this, the caller checks that nothing exists at the path. While this process holds the
  /// locks, no other process can move the item from a temporary folder.
  func remove() {
    for suffix in movedSuffixes { unlink(path + suffix) }
    for folder in folders { TemporaryItems.delete(folder.path) }
  }
}
