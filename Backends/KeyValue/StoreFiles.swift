import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of one store, beside each other.
struct StoreFiles: Sendable {
  /// The file at rest, whole at every instant.
  let snapshot: String
  /// What has been acknowledged since the snapshot was written.
  var journal: String { snapshot + ".journal" }
  /// Holds the lock between processes; always empty.
  var lock: String { snapshot + ".lock" }

  /// Names the files of the store at `url`; those that a symbolic link leads to, if one is there.
  ///
  /// A journal and a lock beside the link would make a second store of the same snapshot.
  init(_ url: URL) throws(StorageError) {
    snapshot = try FilePath.ofFile(at: url)
    try SQLiteFile.refuse(at: snapshot)
  }

  /// The bytes of all files together, or the greatest number if there are more.
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

  /// Makes what is missing of a new store; a snapshot that is there without a journal is taken as it is.
  func begin(_ format: any SnapshotFormat) throws(StorageError) {
    if try Folder.hasEntry(at: journal) { return }
    if try !Folder.hasEntry(at: snapshot) {
      let replacement = try ReplacementFile(of: snapshot)
      try format.write([:], to: replacement.file.path)
      try replacement.commit()
    }
    try Journal.replace(at: journal)
  }
}
