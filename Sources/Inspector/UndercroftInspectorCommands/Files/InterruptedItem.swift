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
  /// A temporary folder is found if it belongs to this user, if no process has locked it, and if it
  /// contains the main file, or nothing but files that are created before the main file. A command
  /// locks its folder before it creates a file. A moved file is found only if a folder contains the
  /// main file and the marker file, but not this file.
  ///
  /// - Parameters:
  ///   - path: the path of the main file.
  ///   - suffixes: the suffixes of the names of the files that are moved before the main file.
  ///   - companions: the suffixes of the names of other files that are created beside the main
  ///     file, such as its lock.
  init(at path: String, suffixes: [String] = [], companions: [String] = []) {
    self.path = path
    let (parent, name) = (Folder.parent(of: path), Folder.name(of: path))
    guard FileState(at: path) == nil,
      let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
    else { return }
    let existing = suffixes.filter { FileState(at: path + $0) != nil }
    let early = Set((suffixes + companions).map { ExactString(name + $0) })
    for folder in names.filter(TemporaryFile.isTemporary).map({ parent + "/" + $0 }) {
      guard let state = FileState(at: folder), state.kind == .folder, state.owner == geteuid(),
        let lock = try? FolderLock(folder),
        let entries = try? FileManager.default.contentsOfDirectory(atPath: folder)
      else { continue }
      let hasMainFile = entries.contains { $0.isExactly(name) }
      let isEarly = entries.allSatisfy { entry in
        TemporaryName.matches(entry) || entry.isExactly(Self.markerName)
          || early.contains(ExactString(entry))
      }
      guard hasMainFile || isEarly else { continue }
      folders.append((folder, lock))
      if hasMainFile, FileState(at: folder + "/" + Self.markerName) != nil,
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
