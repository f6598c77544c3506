import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The paths of the files of one store, which are in the same folder.
struct StoreFiles: Sendable {
  /// The path of the snapshot, which contains all values of the last checkpoint.
  ///
  /// The snapshot is complete at every instant.
  let snapshot: String
  /// The path of the file with the batches that were acknowledged since the snapshot was written.
  var journal: String { snapshot + ".journal" }
  /// The path of the file that holds the lock between processes.
  ///
  /// The file is always empty.
  var lock: String { snapshot + ".lock" }

  /// Determines the paths of the store at `url`.
  ///
  /// If `url` is a symbolic link, the journal and the lock are beside the target of the link.
  /// A journal and a lock beside the link would form a second store with the same snapshot.
  init(_ url: URL) throws(StorageError) {
    snapshot = try FilePath.ofFile(at: url)
    try SQLiteFile.reject(at: snapshot)
  }

  /// The size of the snapshot and the journal in bytes, or `Int.max` if the sum is too large.
  var byteCount: Int {
    let (sum, isTooLarge) = snapshotByteCount.addingReportingOverflow(journalByteCount)
    return isTooLarge ? .max : sum
  }

  var snapshotByteCount: Int { Self.size(of: snapshot) }

  var journalByteCount: Int { Self.size(of: journal) }

  private static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Creates the missing files of a new store.
  ///
  /// An existing snapshot without a journal becomes the content of the store.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if such a snapshot is damaged or a file of another
  ///   program. In this case, no journal is created: if the user later removed the invalid file, a
  ///   journal without a snapshot would count as a damaged store.
  func begin(_ format: any SnapshotFormat) throws(StorageError) {
    if try Folder.hasEntry(at: journal) { return }
    if try format.read(snapshot) == nil {
      let replacement = try ReplacementFile(of: snapshot)
      try format.write([:], to: replacement.file.path)
      try replacement.commit()
    }
    try Journal.replace(at: journal)
  }
}
