import Dispatch
import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folders in which the commits of other processes show, watched while anybody wants to know.
final class FolderWatches: Sendable {
  private struct State {
    var handlers = Registry<OutsideWatch.Handlers>()
    var folders: [FolderWatch] = []
    /// Whether a later attempt to watch is planned.
    var isRetrying = false
  }

  private static let longestPause = 10_000
  private let queue = DispatchQueue(label: "undercroft.sqlite-folders")
  private let state = Mutex(State())
  private let location: URL?
  private let attachments: Attachments

  /// - Parameter location: the main file.
  init(in attachments: Attachments, beside location: URL?) {
    self.attachments = attachments
    self.location = location
  }

  /// Watches for `handlers` as well, until the registration is released.
  func add(_ handlers: OutsideWatch.Handlers) throws(StorageError) -> Registration {
    let id = try state.withLock { (state) throws(StorageError) in
      if state.handlers.values.isEmpty {
        for folder in try wanted() { state.folders.append(try watch(folder.text)) }
      }
      return state.handlers.add(handlers)
    }
    return Registration { [weak self] in
      // Let go of outside the lock, as whatever they hold may come back here.
      let removed = self?.state.withLock { state in
        let handlers = state.handlers.remove(id)
        let folders = state.folders
        if state.handlers.values.isEmpty { state.folders = [] }
        return (handlers, folders)
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Watches the folders that are there now, and tells everybody that the files may be others.
  func renew() {
    let isWhole = watchAnew()
    for handlers in all { handlers.renewed() }
    if isWhole { return }
    // A folder that was missing has been made with the first connection.
    let isWatched = watchAnew(logsFailure: true)
    for handlers in all { handlers.stirred() }
    if isWatched { return }
    let isFirst = state.withLock { state in
      defer { state.isRetrying = true }
      return !state.isRetrying
    }
    if isFirst { retry(after: 100) }
  }

  /// Tries again until all folders are watched: other processes' commits would stay unnoticed otherwise.
  ///
  /// - Parameter pause: in milliseconds; each further pause is twice as long, up to 10 s.
  private func retry(after pause: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
      guard let self else { return }
      guard watchAnew() else { return retry(after: min(2 * pause, Self.longestPause)) }
      state.withLock { $0.isRetrying = false }
      // What was committed while there was no watch.
      for handlers in all { handlers.stirred() }
    }
  }

  private var all: [OutsideWatch.Handlers] { state.withLock { $0.handlers.values } }

  /// Returns whether all folders are watched that should be.
  private func watchAnew(logsFailure: Bool = false) -> Bool {
    var failure: StorageError?
    let isWhole = state.withLock { state in
      if state.handlers.values.isEmpty { return true }
      do throws(StorageError) {
        var folders: [FolderWatch] = []
        for folder in try wanted() {
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
    if logsFailure { failure?.log() }
    return isWhole
  }

  /// SQLite keeps the log beside the file that a link leads to.
  private func wanted() throws(StorageError) -> Set<ExactString> {
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
      for handlers in self.all { handlers.stirred() }
    }
  }
}
