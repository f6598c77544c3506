import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// The removal of a second copy of a key file, and the flush of its folder, which are due until
/// they succeed once.
///
/// A process that is killed while it creates a key file may leave a temporary file with the same
/// key, if the file system does not support `RENAME_NOREPLACE`. The removal of this copy is only
/// durable after a flush of the folder: until then, a power failure may restore the copy. A power
/// failure may also remove the name of the key file, so that no data that the key encrypted can be
/// read.
final class KeyFileFlush: Sendable {
  private let path: String
  private let isDue = Atomic<Bool>(true)

  /// Makes a first attempt for an existing store.
  ///
  /// A failure is logged, because the key can be read, and the next write makes another attempt.
  init(of path: String, backend: String) {
    self.path = path
    // If the key file is missing, the function that reads it throws.
    guard (try? Folder.hasEntry(at: path)) ?? true else { return }
    do throws(StorageError) {
      try finish()
    } catch {
      error.naming(backend: backend).log()
    }
  }

  /// Removes the second copy and flushes the folder, if that is still due.
  ///
  /// Every write calls this function first.
  func finish() throws(StorageError) {
    guard isDue.load(ordering: .relaxed) else { return }
    try KeyFile.flushName(of: path)
    isDue.store(false, ordering: .relaxed)
  }
}
