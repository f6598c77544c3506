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

  private let copies = Mutex<[ExactString: URL]>([:])

  private init() {}

  /// Returns the location of the copy of a store, which is created at the first call.
  ///
  /// Kinds of data that share a store also share its copy.
  func location(of store: DiscoveredStore) throws(StorageError) -> URL {
    let path = ExactString(store.path)
    return try copies.withLock { (copies) throws(StorageError) in
      if let url = copies[path] { return url }
      let copy = try TemporaryFolder().path + "/" + store.url.lastPathComponent
      try StoreCopy(store.path, store.copying).run(to: copy)
      let url = URL(filePath: copy)
      copies[path] = url
      return url
    }
  }
}
