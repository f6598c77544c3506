import Synchronization
package import UndercroftCore
import UndercroftFoundation

/// The temporary files and folders that this process must remove before a signal ends it.
///
/// A program that handles a signal calls ``removeAll()``. Code that creates a temporary item
/// outside of a store registers the item here, and removes the item itself in all other cases.
package enum TemporaryItems {
  private static let paths = Mutex<[String]>([])

  /// Registers an item, which may not exist yet.
  package static func register(_ path: String) { paths.withLock { $0.append(path) } }

  /// Removes an item from the registry, after it was removed or has replaced another file.
  package static func unregister(_ path: String) {
    paths.withLock { paths in
      guard let index = paths.lastIndex(where: { $0.utf8.elementsEqual(path.utf8) }) else { return }
      paths.remove(at: index)
    }
  }

  /// Runs `body`, during which no item is removed because of a signal.
  package static func withoutRemoval<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try paths.withLock { (_) throws(StorageError) in try body() }
  }

  /// Removes all registered items with their content.
  ///
  /// Errors are ignored, because the process ends.
  package static func removeAll() {
    paths.withLock { paths in
      for path in paths.reversed() { delete(path) }
      paths = []
    }
  }

  /// Removes a file or a folder, also a folder that contains folders without write permission.
  ///
  /// Errors are ignored.
  package static func delete(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      var folders = [path]
      while let folder = folders.popLast() {
        chmod(folder, 0o700)
        let entries = try? Folder.entries(in: Folder.open(folder))
        folders += (entries ?? []).filter { $0.kind == .folder }.map { folder + "/" + $0.name }
      }
    }
    // Another thread may still write to the folder while a signal ends the process.
    for _ in 0..<10 where (try? FileManager.default.removeItem(atPath: path)) == nil {
      guard access(path, F_OK) == 0 else { return }
    }
  }
}
