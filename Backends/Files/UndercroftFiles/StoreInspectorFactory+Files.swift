import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
public import UndercroftInspection

extension StoreInspectorFactory {
  /// A factory that opens folders with one file per value for inspection.
  public static var files: StoreInspectorFactory { folder("files", suffix: "") }

  /// A factory that opens folders with one property list per value for inspection.
  public static var propertyLists: StoreInspectorFactory {
    folder("propertyLists", suffix: ".plist")
  }

  private static func folder(_ scheme: String, suffix: String) -> StoreInspectorFactory {
    StoreInspectorFactory(scheme: scheme) { (candidate) throws(StorageError) in
      guard candidate.isFolder else { return false }
      do throws(StorageError) {
        let root = try Folder.open(candidate.url.path(percentEncoded: false))
        return try StoreMarker.suffix(in: root) == suffix
      } catch {
        // A folder with a damaged marker is not recognised. After a failed system call, the folder
        // may be a store.
        guard error.code == .io, error.underlying is SystemError else { return false }
        throw error
      }
    } open: { (url, _) throws(StorageError) in
      try StorageError.naming(backend: scheme) { () throws(StorageError) in
        let folder = try EntryFolder(at: url.path(percentEncoded: false), suffix: suffix)
        try StoreMarker.checkUnlessNew(suffix, in: folder.root)
        return FolderInspector(folder: folder, scheme: scheme)
      }
    }.with(editing: { (url, _, timeout) throws(StorageError) in
      try StorageError.reportingBusy { () throws(StorageError) in
        try FileBackend(
          scheme, in: url, suffix: suffix, lockTimeout: timeout, adoptingExistingFiles: false)
      }
    })
    .with(copying: StoreCopying(lockFile: EntryFolder.lockName))
  }
}
