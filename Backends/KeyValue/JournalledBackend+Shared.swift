import Synchronization
public import UndercroftCore
import UndercroftFileSystem

extension JournalledBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 {
    state.withLock { state in
      try? Self.look(&state)
      return state.store.outsideChanges
    }
  }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    let seen = Mutex(externalChangeCount())
    return try FolderWatch(Folder.parent(of: files.snapshot)) { [weak self] in
      guard let self else { return }
      let count = self.countNow()
      let isNew = seen.withLock { last in
        defer { last = count }
        return last != count
      }
      if isNew { handler() }
    }
  }

  private func countNow() -> UInt64 {
    state.withLock { state in
      if !state.isLocked { _ = try? state.store.refresh(Self.flags) }
      return state.store.outsideChanges
    }
  }
}
