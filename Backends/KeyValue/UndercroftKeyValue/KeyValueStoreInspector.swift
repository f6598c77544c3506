import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// An inspector of a journalled store, which consists of a snapshot file and a journal.
///
/// Each call reads the present state of the store without acquiring its lock, and changes nothing.
final class KeyValueStoreInspector: Inspectable {
  private let files: StoreFiles
  private let format: any SnapshotFormat

  init(at url: URL, format: any SnapshotFormat) throws(StorageError) {
    files = try StoreFiles(url)
    self.format = format
    _ = try current()
  }

  func inspect() throws(StorageError) -> InspectionReport {
    let (values, damage) = try current()
    return values.report(format, files, damage)
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try current().values.list(prefix)
  }

  func bytes(of entry: String) throws(StorageError) -> Data? { try current().values[entry.exact] }

  /// Returns the present values and the damage of the journal.
  ///
  /// A snapshot without a journal, such as one that another program wrote, is a complete store.
  private func current() throws(StorageError) -> (values: [ExactString: Data], damage: StoreDamage?)
  {
    try StorageError.naming(backend: format.name) { () throws(StorageError) in
      if try Folder.hasEntry(at: files.journal) {
        let store = try OpenStore.open(files, format, O_RDONLY, recovering: true)
        return (store.values, store.damage)
      }
      guard let values = try format.read(files.snapshot) else {
        throw StorageError(
          .unavailable, "cannot open \(quoted(files.snapshot)): the file does not exist",
          suggestion: "check the path of the store")
      }
      return (values, nil)
    }
  }
}
