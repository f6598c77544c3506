import Synchronization
public import UndercroftCore
import UndercroftFileSystem

extension JournalledBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 { store.outsideChanges(immediately: false) }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    let seen = Mutex(store.outsideChanges(immediately: true))
    return try FolderWatch(Folder.parent(of: store.files.snapshot)) { [store] in
      let count = store.outsideChanges(immediately: true)
      let isNew = seen.withLock { last in
        defer { last = count }
        return last != count
      }
      if isNew { handler() }
    }
  }
}
