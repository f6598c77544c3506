import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The copying of a home with its manifest, its stores and its other files.
///
/// Each store is copied as one consistent state. Two stores can be copied at different instants.
struct HomeCopy {
  let plan: CopyPlan
  /// The progress, of which the other files are the last part.
  let progress: Progress

  /// Copies the home to `copy`, which is the path of a new folder.
  func run(to copy: String) throws(StorageError) {
    try Self.create(copy)
    // The stores are copied first: otherwise a symbolic link among the other files could lead from
    // the copy to the place of a store in the original.
    for unit in plan.units {
      progress.begin(unit.kinds.first ?? unit.backend)
      let target = copy + "/" + unit.path.text
      try createFolders(of: unit.path, in: copy)
      try unit.store.run(to: target, excluding: plan.exclusions(of: unit))
    }
    let others = try plan.others()
    progress.begin("other files", total: others.count)
    for item in others where item.state.kind == .folder {
      try Self.create(FileTree.path(of: item.path, in: copy))
      progress.advance()
    }
    for item in others where item.state.kind != .folder {
      let source = FileTree.path(of: item.path, in: plan.home)
      try PlainCopy.run(
        [.init(tree: FileTree(root: source), copy: FileTree.path(of: item.path, in: copy))],
        isAppendOnly: true)
      progress.advance()
    }
    for item in others.reversed() where item.state.kind == .folder {
      try FileCopy.copyAttributes(item.state, to: FileTree.path(of: item.path, in: copy))
    }
  }

  private func createFolders(of path: ExactString, in copy: String) throws(StorageError) {
    var folder = copy
    for name in path.text.split(separator: "/").dropLast() {
      folder += "/" + name
      try Self.create(folder)
    }
  }

  private static func create(_ path: String) throws(StorageError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("create", path) }
  }
}
