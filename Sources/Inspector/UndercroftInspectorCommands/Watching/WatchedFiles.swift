import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The state of the files of a store at one instant, which differs after each change of the store.
struct WatchedFiles: Equatable {
  /// Whether the store exists.
  ///
  /// The system reports no attributes of a missing file, and none of one that cannot be reached.
  private let exists: Bool
  /// The attributes of the item at the path of the store, which may be a symbolic link.
  private let item: FileState?
  private let files: [StoreFile]
  /// A digest of the bytes of the store if its attributes do not show each change.
  private let digest: Int?

  /// Reads the attributes of the files.
  ///
  /// A GDBM file is also read to its end. GDBM maps it into memory, and a write to a page that is
  /// already dirty changes neither the size of the file nor one of its times. (`mmap`)
  ///
  /// A file beside the store that was created after `listings` is not part of the state. It is part
  /// of the next state with later listings, which then differs.
  init(of store: DiscoveredStore, listedBy listings: FolderListings) {
    exists = store.exists
    item = FileState(at: store.path)
    files = StoreFile.all(at: store.url, listedBy: listings, limit: .max)
    digest = store.scheme.isExactly("gdbm") ? Self.digest(of: store.path) : nil
  }

  /// Returns a digest that is the same only in this process, or `nil` if the file cannot be read.
  private static func digest(of path: String) -> Int? {
    var hasher = Hasher()
    do throws(StorageError) {
      let file = try Descriptor(regularFile: path, O_RDONLY)
      let size = Int(try file.status().st_size)
      try file.forEachPiece(of: 0..<size) { (piece) throws(StorageError) in
        hasher.combine(bytes: piece)
        return true
      }
    } catch {
      return nil
    }
    return hasher.finalize()
  }
}
