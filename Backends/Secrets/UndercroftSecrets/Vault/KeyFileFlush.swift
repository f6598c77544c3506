import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// A cleanup of the folder of a key file, which is attempted until it succeeds once.
///
/// The cleanup removes temporary copies of the key file and flushes the folder. A process that is
/// killed while it creates the key file may leave such a copy, with the same key, if the file
/// system does not support `RENAME_NOREPLACE`. The removal is durable only after the flush: before
/// it, a power failure may restore the copy. Before the flush, a power failure may also remove the
/// directory entry of a new key file, and all data encrypted with the key would be lost.
final class KeyFileFlush: Sendable {
  private let path: String
  private let isDue = Atomic<Bool>(true)

  /// Creates the cleanup of the folder of the key file at `path`, for an existing store, and
  /// attempts the cleanup once.
  ///
  /// A failure of this attempt is reported and not thrown, because the
  /// key can be read, and the next write attempts the cleanup again.
  init(of path: String, backend: String) {
    self.path = path
    // If the key file is missing, the function that reads it throws.
    guard (try? Folder.hasEntry(at: path)) ?? true else { return }
    do throws(StorageError) {
      try finish()
    } catch {
      error.naming(backend: backend).reportIssue()
    }
  }

  /// Attempts the cleanup again, unless it has succeeded before.
  ///
  /// Every write calls this function first.
  func finish() throws(StorageError) {
    guard isDue.load(ordering: .relaxed) else { return }
    try KeyFile.flushName(of: path)
    isDue.store(false, ordering: .relaxed)
  }
}
