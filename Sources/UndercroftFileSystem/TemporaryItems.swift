import Synchronization
import UndercroftFoundation

/// The temporary files and folders that this process must remove before a signal ends it.
///
/// A program that handles a signal calls ``removeAll()``. Code that creates a temporary item outside
/// of a store registers the item here, and removes the item itself in all other cases.
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

  /// Removes all registered items with their content.
  ///
  /// Errors are ignored, because the process ends.
  package static func removeAll() {
    let removed = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in removed.reversed() { try? FileManager.default.removeItem(atPath: path) }
  }
}
