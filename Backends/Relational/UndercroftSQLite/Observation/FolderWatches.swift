import Dispatch
import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The watches of the folders in which commits of other processes cause file-system events.
///
/// The folders are watched only while there are handlers.
final class FolderWatches: Sendable {
  private struct State {
    var handlers = Registry<ExternalChangeMonitor.Handlers>()
    var folders: [FolderWatch] = []
    /// Whether a later attempt to watch the folders is planned.
    var isRetrying = false
  }

  private static let maximumPause = 10_000
  private let queue = DispatchQueue(label: "undercroft.sqlite-folders")
  private let state = Mutex(State())
  private let location: URL?
  private let attachments: DatabaseAttachments

  /// Creates an object without handlers, which watches no folder yet.
  ///
  /// - Parameter location: the location of the main file, or `nil` in memory.
  init(in attachments: DatabaseAttachments, beside location: URL?) {
    self.attachments = attachments
    self.location = location
  }

  /// Adds handlers, which are called until the registration is released.
  ///
  /// Watching starts with the first handlers.
  func add(_ handlers: ExternalChangeMonitor.Handlers) throws(StorageError) -> Registration {
    let id = try state.withLock { (state) throws(StorageError) in
      if state.handlers.values.isEmpty {
        for folder in try requiredFolders() { state.folders.append(try watch(folder.text)) }
      }
      return state.handlers.add(handlers)
    }
    return Registration { [weak self] in
      // The handlers are released outside of the mutex, because objects that the handlers own may
      // call this object when they are released.
      let removed = self?.state.withLock { state in
        let handlers = state.handlers.remove(id)
        let folders = state.folders
        if state.handlers.values.isEmpty { state.folders = [] }
        return (handlers, folders)
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Watches the folders that exist now, and reports to all handlers that the files may have been
  /// replaced.
  func renew() {
    let isComplete = replaceWatches()
    for handlers in allHandlers { handlers.onReset() }
    if isComplete { return }
    // A folder that was missing may now exist, because the first connection creates it.
    let isWatched = replaceWatches(reportsFailure: true)
    for handlers in allHandlers { handlers.onFileEvent() }
    if isWatched { return }
    let isFirst = state.withLock { state in
      defer { state.isRetrying = true }
      return !state.isRetrying
    }
    if isFirst { retry(after: 100) }
  }

  /// Tries to watch the folders until all of them are watched.
  ///
  /// Until then, commits of other processes in folders that are not watched remain unnoticed.
  ///
  /// - Parameter pause: the pause before the attempt, in milliseconds. The pause doubles with each
  ///   further attempt, up to 10 s.
  private func retry(after pause: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
      guard let self else { return }
      guard replaceWatches() else { return retry(after: min(2 * pause, Self.maximumPause)) }
      state.withLock { $0.isRetrying = false }
      // Reports the commits that were made while there was no watch.
      for handlers in allHandlers { handlers.onFileEvent() }
    }
  }

  private var allHandlers: [ExternalChangeMonitor.Handlers] {
    state.withLock { $0.handlers.values }
  }

  /// Replaces the watches by watches of the folders that exist now.
  ///
  /// - Parameter reportsFailure: whether to report the last error if a folder cannot be watched.
  /// - Returns: whether all required folders are watched.
  private func replaceWatches(reportsFailure: Bool = false) -> Bool {
    var failure: StorageError?
    let isComplete = state.withLock { state in
      if state.handlers.values.isEmpty { return true }
      do throws(StorageError) {
        var folders: [FolderWatch] = []
        for folder in try requiredFolders() {
          do throws(StorageError) { folders.append(try watch(folder.text)) } catch {
            failure = error
          }
        }
        state.folders = folders
      } catch {
        failure = error
      }
      return failure == nil
    }
    if reportsFailure { failure?.reportIssue() }
    return isComplete
  }

  /// Returns the folders to watch, with links resolved: SQLite stores the log beside the target of
  /// a link.
  private func requiredFolders() throws(StorageError) -> Set<ExactString> {
    var folders: Set<ExactString> = []
    for url in [location].compactMap({ $0 }) + attachments.all.map(\.location) {
      let path = DatabaseFile.resolved(try DatabaseFile.path(of: url))
      folders.insert(Folder.parent(of: path).exact)
    }
    return folders
  }

  private func watch(_ folder: String) throws(StorageError) -> FolderWatch {
    try FolderWatch(folder) { [weak self] in
      guard let self else { return }
      for handlers in self.allHandlers { handlers.onFileEvent() }
    }
  }
}
