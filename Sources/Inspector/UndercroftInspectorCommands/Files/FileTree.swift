import UndercroftCore
import UndercroftFileSystem

/// A file, or a folder with everything in it.
struct FileTree {
  /// A file or folder of a tree.
  struct Item {
    /// The path relative to the root, which is empty for the root itself.
    let path: ExactString
    let state: FileState
  }

  /// The path of the file or folder.
  let root: String
  /// The paths of the items, relative to the root, that are not part of the tree.
  var excluded: Set<ExactString> = []

  /// Returns the path of an item in a tree with the root `root`.
  static func path(of item: ExactString, in root: String) -> String {
    item.text.isEmpty ? root : root + "/" + item.text
  }

  /// Returns the items of the tree, in which a folder precedes its entries.
  ///
  /// An item that another process removes meanwhile is left out, and so are temporary files. The
  /// result is empty if the root does not exist.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if a name is not valid UTF-8, and the error of
  ///   the system if an item cannot be examined, because no item may be missing in a copy.
  func items() throws(StorageError) -> [Item] {
    var items: [Item] = []
    var paths: [ExactString] = [ExactString("")]
    while let path = paths.popLast() {
      let location = Self.path(of: path, in: root)
      // The root can be the path of a file that a store does not need, and that is too long.
      let found =
        try path.text.isEmpty ? FileState(at: location) : FileState.existing(at: location)
      guard let state = found else { continue }
      items.append(Item(path: path, state: state))
      guard state.kind == .folder else { continue }
      for name in TemporaryName.removed(from: try Self.names(in: location)) {
        let entry = ExactString(path.text.isEmpty ? name : path.text + "/" + name)
        if !excluded.contains(entry) { paths.append(entry) }
      }
    }
    return items.sorted { $0.path < $1.path }
  }

  private static func names(in folder: String) throws(StorageError) -> [String] {
    do throws(StorageError) {
      return try Folder.exactNames(in: Folder.open(folder))
    } catch {
      if FileState(at: folder)?.kind != .folder { return [] }
      throw error
    }
  }
}
