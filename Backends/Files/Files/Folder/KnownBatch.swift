import Synchronization
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The pending batch of a folder, whose record is decoded once for all reads until the record changes.
///
/// A record that a killed writer left stays until the next write, and may have 64 MiB.
final class KnownBatch: Sendable {
  private final class Known: Sendable {
    let batch: PendingBatch
    private let identity: FileIdentity
    /// Held open, so that no later record gets the same file number.
    private let file: Descriptor

    init(_ file: consuming Descriptor) throws(StorageError) {
      identity = FileIdentity(try file.status())
      batch = try PendingBatch(reading: file)
      self.file = file
    }

    func isFile(_ other: FileIdentity) -> Bool { identity == other }
  }

  private let known = Mutex<Known?>(nil)
  /// Whether `known` has something to forget: without a record, which is the rule, a read takes no lock.
  private let isKnown = Atomic<Bool>(false)

  /// Returns the batch whose record is in `folder`, or `nil` without one.
  func read(in folder: borrowing Descriptor) throws(StorageError) -> PendingBatch? {
    guard let identity = try FileIdentity(PendingBatch.fileName, in: folder) else {
      forget()
      return nil
    }
    if let known = known.withLock({ $0 }), known.isFile(identity) { return known.batch }
    guard let opened = try OpenedFile.open(PendingBatch.fileName, in: folder) else { return nil }
    let new = try Known(opened.takeFile())
    known.withLock { known in
      known = new
      isKnown.store(true, ordering: .relaxed)
    }
    return new.batch
  }

  private func forget() {
    guard isKnown.load(ordering: .relaxed) else { return }
    known.withLock { known in
      known = nil
      isKnown.store(false, ordering: .relaxed)
    }
  }
}
