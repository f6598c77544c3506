import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A cache of the pending batch of a folder, which decodes the commit record only when the record
/// changes.
///
/// The record of a killed writer remains until the next write, and its size can be up to 64 MiB.
/// Without the cache, every read would decode the record.
final class PendingBatchCache: Sendable {
  private final class Entry: Sendable {
    let batch: PendingBatch
    private let version: FileVersion
    /// A descriptor of the commit record, which stays open so that no later record can have the
    /// same inode number.
    private let file: Descriptor

    init(_ file: consuming Descriptor) throws(StorageError) {
      version = FileVersion(try file.status())
      batch = try PendingBatch(reading: file)
      self.file = file
    }

    func isVersion(_ other: FileVersion) -> Bool { version == other }
  }

  private let entry = Mutex<Entry?>(nil)
  /// Whether the cache contains a batch.
  ///
  /// Usually there is no batch, and then a read acquires no lock.
  private let isFilled = Atomic<Bool>(false)

  /// Returns the batch whose commit record is in `folder`, or `nil` if there is no record.
  func read(in folder: borrowing Descriptor) throws(StorageError) -> PendingBatch? {
    guard let version = try FileVersion(PendingBatch.fileName, in: folder) else {
      clear()
      return nil
    }
    if let entry = entry.withLock({ $0 }), entry.isVersion(version) { return entry.batch }
    guard let opened = try OpenedFile.open(PendingBatch.fileName, in: folder) else { return nil }
    let new = try Entry(opened.takeFile())
    entry.withLock { entry in
      entry = new
      isFilled.store(true, ordering: .relaxed)
    }
    return new.batch
  }

  private func clear() {
    guard isFilled.load(ordering: .relaxed) else { return }
    entry.withLock { entry in
      entry = nil
      isFilled.store(false, ordering: .relaxed)
    }
  }
}
