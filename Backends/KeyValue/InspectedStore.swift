import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store opened by the inspector: always as it is now, never changed, without taking its lock.
final class InspectedStore: Inspectable {
  private let files: StoreFiles
  private let format: any SnapshotFormat

  init(at url: URL, format: any SnapshotFormat) throws(StorageError) {
    files = try StoreFiles(url)
    self.format = format
    _ = try current()
  }

  func inspect() throws(StorageError) -> InspectionReport { try current().report(format, files) }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try current().list(prefix)
  }

  func bytes(of entry: String) throws(StorageError) -> Data? { try current()[entry] }

  /// A snapshot by itself, such as one that another program wrote, is a store without a journal.
  private func current() throws(StorageError) -> [String: Data] {
    do throws(StorageError) {
      if try Folder.hasEntry(at: files.journal) {
        return try OpenStore.open(files, format, O_RDONLY).values
      }
      guard let values = try format.read(files.snapshot) else {
        throw StorageError(
          .unavailable, "cannot open \(quoted(files.snapshot)): there is no such file",
          cure: "check the path")
      }
      return values
    } catch {
      throw error.naming(backend: format.name)
    }
  }
}
