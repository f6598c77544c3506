import UndercroftCore
import UndercroftFileSystem

/// One pass over the end of a journal.
struct JournalScan {
  /// The byte of the file at which the bytes begin.
  let base: Int
  /// The offset in the bytes after the last whole record.
  var offset = 0
  var tail = RecordTail.none
  var last: RecordMark?

  init(base: Int) { self.base = base }

  mutating func run(through bytes: UnsafeRawBufferPointer, _ body: (Change) -> Void) {
    while offset < bytes.count {
      switch JournalRecord.decode(bytes, at: offset, from: base) {
      case .record(let changes, let next):
        for change in changes { body(change) }
        last = RecordMark(UnsafeRawBufferPointer(rebasing: bytes[offset...]), at: base + offset)
        offset = next
      case .torn:
        tail = .torn
        return
      case .damaged:
        tail = .damaged(byteCount: bytes.count - offset)
        return
      }
    }
  }
}

/// Identifies one record of a journal by its place and its checksums.
struct RecordMark: Equatable {
  let offset: Int
  private let lengths: UInt64
  private let checksum: UInt32

  /// Makes the mark of a record that begins with `header`.
  init(_ header: UnsafeRawBufferPointer, at offset: Int) {
    self.offset = offset
    lengths = header.loadUnaligned(as: UInt64.self)
    checksum = header.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
  }
}
