import Synchronization
import UndercroftCore
import UndercroftFileSystem

/// What a process that died while it made a key file left undone, due until it has been done once.
///
/// The temporary file of that process is a second copy of the key. It counts as erased when the folder has been flushed: until
/// then a power failure may bring the copy back, or remove the name of the key file and with it what the key has sealed.
final class KeyFileFlush: Sendable {
  private let path: String
  private let isDue = Atomic<Bool>(true)

  /// Tries it for an existing store; a failure is logged, because the key can be read, and the next write tries again.
  init(of path: String, backend: String) {
    self.path = path
    // A missing key file is an error of whatever reads it.
    guard (try? Folder.hasEntry(at: path)) ?? true else { return }
    do throws(StorageError) {
      try finish()
    } catch {
      error.naming(backend: backend).log()
    }
  }

  /// Removes the second copy and flushes the folder, if that is still due; every write calls it first.
  func finish() throws(StorageError) {
    guard isDue.load(ordering: .relaxed) else { return }
    try KeyFile.flushName(of: path)
    isDue.store(false, ordering: .relaxed)
  }
}
