import Foundation
import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The private copies of stores that a command reads instead of the stores.
///
/// A store is copied when it is read first. The copies are removed at the end of the command.
final class SnapshotFolder: Sendable {
  /// The copies of this process.
  static let shared = SnapshotFolder()

  /// A copy, and its folder, which remains locked until the command ends.
  private struct Copy {
    let folder: TemporaryFolder
    let url: URL
  }

  private let copies = Mutex<[ExactString: Copy]>([:])

  private init() {}

  /// Returns the location of the copy of a store, which is created at the first call.
  ///
  /// Kinds of data that share a store also share its copy.
  func location(of store: DiscoveredStore) throws(StorageError) -> URL {
    let path = ExactString(store.path)
    return try copies.withLock { (copies) throws(StorageError) in
      if let copy = copies[path] { return copy.url }
      let folder = try TemporaryFolder()
      let target = folder.path + "/" + store.url.lastPathComponent
      try StoreCopy(store.path, store.copying).run(to: target)
      let copy = Copy(folder: folder, url: URL(filePath: target))
      copies[path] = copy
      return copy.url
    }
  }

  /// Returns a text in which the folders of the stores replace the folders of their copies.
  ///
  /// The facts and errors of a copy name its path, which does not exist after the command.
  func namingStores(in text: String) -> String {
    copies.withLock { copies in
      // Most texts name no copy, and there may be many copies.
      guard !copies.isEmpty, text.contains(TemporaryFile.prefix) else { return text }
      return copies.reduce(text) { text, copy in
        let parent = Folder.parent(of: copy.key.text)
        return text.replacing(
          escaped(copy.value.folder.path), with: escaped(parent == "/" ? "" : parent))
      }
    }
  }
}
