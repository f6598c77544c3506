import UndercroftCore
import UndercroftFoundation
public import UndercroftInspection

extension StoreInspectorFactory {
  /// A factory for inspecting journalled stores whose snapshot has the toolkit's format.
  public static var settings: StoreInspectorFactory { .journalled(SortedFormat()) }

  /// Returns a factory for inspecting journalled stores whose snapshot has the given format.
  public static func journalled(_ format: some SnapshotFormat) -> StoreInspectorFactory {
    StoreInspectorFactory(scheme: format.name) { candidate in
      format.recognises([UInt8](candidate.start.prefix(16)))
    } open: { (url, _) throws(StorageError) in
      try KeyValueStoreInspector(at: url, format: format)
    }.with(editing: { (url, _, timeout) throws(StorageError) in
      try StorageError.reportingBusy { () throws(StorageError) in
        try JournalledBackend(at: url, format: format, lockTimeout: timeout)
      }
    }).with(log: .journal).with(copying: .journalled)
  }
}

extension StoreCopying {
  /// The copying of a snapshot together with its journal.
  ///
  /// A journal without its last batches is an earlier state, and a snapshot is replaced as a whole.
  package static let journalled = StoreCopying(
    suffixes: [".journal"], omittedSuffixes: [".lock"], isAppendOnly: true)
}
