import Foundation
import UndercroftCore
import UndercroftFileSystem

/// An exclusive lock on a folder, which the system releases when the process ends. (`flock`)
final class FolderLock: Sendable {
  private let folder: Descriptor

  /// Locks a folder without waiting.
  init(_ path: String) throws(StorageError) {
    folder = try Folder.open(path)
    guard flock(folder.raw, LOCK_EX | LOCK_NB) == 0 else { throw .system("lock", path) }
  }
}
