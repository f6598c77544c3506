public import UndercroftCore
import UndercroftFileSystem

extension JournalledBackend: SharedBackend {
  public func externalChangeCount() -> UInt64 { store.knownChangeCount() }

  public func watchExternalChanges(_ handler: @escaping @Sendable () -> Void)
    throws(StorageError) -> any ExternalWatch
  {
    try FolderWatch(
      Folder.parent(of: store.files.snapshot),
      counting: { [store] () throws(StorageError) in try store.currentChangeCount() }, handler)
  }
}

extension JournalledBackend: ExclusiveAccessBackend {
  public func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    try store.withExclusiveAccess(body)
  }

  public func withWriterLock<Result>(_ body: () throws -> Result) throws -> Result {
    try store.withWriterLock(body)
  }
}
