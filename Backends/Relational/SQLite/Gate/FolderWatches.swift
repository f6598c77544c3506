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
  }

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
    _ = watchAnew()
    for handlers in all { handlers.stirred() }
  }

  private var all: [OutsideWatch.Handlers] { state.withLock { $0.handlers.values } }

  /// Returns whether all folders are watched that should be.
  private func watchAnew() -> Bool {
    state.withLock { state in
      if state.handlers.values.isEmpty { return true }
      let wanted = (try? wanted()) ?? []
      state.folders = wanted.compactMap { try? watch($0.text) }
      return state.folders.count == wanted.count
    }
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
