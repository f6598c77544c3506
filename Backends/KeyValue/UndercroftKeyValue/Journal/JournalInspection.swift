import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
package import UndercroftInspection

extension LogInspection {
  /// The functions for journalled stores, which show the batches since the last snapshot.
  package static let journal = LogInspection { url, body in
    let path = try StoreFiles(url).journal
    guard try Folder.hasEntry(at: path) else { return }
    try JournalInspection(path).forEachRecord(body)
  }
}

/// A reader of the changes in a journal, in the order in which they were acknowledged.
private struct JournalInspection {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Passes each change of the complete batches to `body`, and then a damaged or incomplete end.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if the file is not a journal.
  func forEachRecord(_ body: LogInspection.Body) throws {
    let file = try Descriptor(regularFile: path, O_RDONLY | O_NOFOLLOW)
    let size = Int(try file.status().st_size)
    guard try file.read(Journal.magic.count, at: 0).elementsEqual(Journal.magic) else {
      throw Journal.corrupted(path, at: 0)
    }
    var scan = JournalScan(from: Journal.magic.count, upTo: size)
    var number = 0
    var failure: (any Error)?
    var needsMore = true
    // Reads to the end of the journal even if no more records are needed, because a scan cannot
    // be interrupted. A journal is never much larger than the values of its store.
    try scan.run(through: file) { offset, changes in
      number += 1
      guard needsMore, failure == nil else { return }
      do {
        for change in changes where needsMore {
          needsMore = try body(InspectedLogRecord(change, number: number, offset: offset))
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    let tail: String
    switch scan.tail {
    case .none: return
    case .torn: tail = "incomplete"
    case .damaged: tail = "damaged"
    }
    guard needsMore else { return }
    _ = try body(
      InspectedLogRecord(
        number: number + 1, offset: scan.offset, byteCount: max(0, size - scan.offset),
        change: tail))
  }
}

extension InspectedLogRecord {
  fileprivate init(_ change: StorageChange, number: Int, offset: Int) {
    switch change {
    case .set(let name, let bytes):
      self.init(
        number: number, offset: offset, byteCount: bytes.count, change: "set", name: name)
    case .remove(let name):
      self.init(number: number, offset: offset, byteCount: nil, change: "remove", name: name)
    }
  }
}
