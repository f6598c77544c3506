import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A cache of the pending batch of a folder, which decodes the commit record only when the record
/// changes.
///
/// The record of a killed writer remains until the next write, and may have 64 MiB.
final class KnownBatch: Sendable {
  private final class Known: Sendable {
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

  private let known = Mutex<Known?>(nil)
  /// Whether `known` contains a batch.
  ///
  /// Usually there is none, and then a read acquires no lock.
  private let isKnown = Atomic<Bool>(false)

  /// Returns the batch whose commit record is in `folder`, or `nil` if there is no record.
  func read(in folder: borrowing Descriptor) throws(StorageError) -> PendingBatch? {
    guard let version = try FileVersion(PendingBatch.fileName, in: folder) else {
      clear()
      return nil
    }
    if let known = known.withLock({ $0 }), known.isVersion(version) { return known.batch }
    guard let opened = try OpenedFile.open(PendingBatch.fileName, in: folder) else { return nil }
    let new = try Known(opened.takeFile())
    known.withLock { known in
      known = new
      isKnown.store(true, ordering: .relaxed)
    }
    return new.batch
  }

  private func clear() {
    guard isKnown.load(ordering: .relaxed) else { return }
    known.withLock { known in
      known = nil
      isKnown.store(false, ordering: .relaxed)
    }
  }
}
