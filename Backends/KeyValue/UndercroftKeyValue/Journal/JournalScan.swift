import UndercroftCore
import UndercroftFileSystem

/// One pass over the records at the end of a journal.
struct JournalScan {
  /// The file offset after the last whole record.
  private(set) var offset: Int
  private(set) var tail = RecordTail.none
  private(set) var last: RecordIdentity?
  /// The file offset at which the pass ends.
  private let fileEnd: Int

  init(from offset: Int, upTo fileEnd: Int) {
    self.offset = offset
    self.fileEnd = fileEnd
  }

  /// Reads the records, and passes every change to `body`.
  mutating func run(
    through file: borrowing Descriptor, _ body: (StorageChange) -> Void
  ) throws(StorageError) {
    try run(through: file) { (_, changes) in
      for change in changes { body(change) }
    }
  }

  /// Reads the records, and passes the offset and the changes of each record to `body`.
  mutating func run(
    through file: borrowing Descriptor, _ body: (_ offset: Int, _ changes: [StorageChange]) -> Void
  ) throws(StorageError) {
    var window = FileWindow(upTo: fileEnd)
    var needed = JournalRecord.headerSize
    while offset < fileEnd, tail == .none {
      let bytes = try window.bytes(from: offset, atLeast: needed, of: file)
      // The file was truncated after the pass began.
      guard bytes.count >= min(needed, fileEnd - offset) else {
        tail = .torn
        return
      }
      switch passRecords(in: bytes, body) {
      case .record: needed = JournalRecord.headerSize
      case .torn: tail = .torn
      case .incomplete(let size, let checksum):
        // The checksum is verified before memory is allocated for the record.
        if size > FileWindow.capacity, try self.checksum(ofRecord: size, in: file) != checksum {
          try end(atUnreadable: size, of: file)
        }
        needed = size
      case .unreadable(let size): try end(atUnreadable: size, of: file)
      }
    }
  }

  /// Decodes the complete records at the beginning of `bytes`, and passes their offsets and changes
  /// to `body`.
  ///
  /// - Returns: the last complete record if no bytes follow it in `bytes`. In all other cases, the
  ///   reason why the bytes after the complete records are not a complete record.
  private mutating func passRecords(
    in bytes: UnsafeRawBufferPointer, _ body: (_ offset: Int, _ changes: [StorageChange]) -> Void
  ) -> JournalRecord.Finding {
    let base = offset
    while true {
      let position = offset - base
      let finding = JournalRecord.decode(bytes, at: position, of: fileEnd - offset)
      guard case .record(let changes, let size) = finding else { return finding }
      body(offset, changes)
      last = RecordIdentity(UnsafeRawBufferPointer(rebasing: bytes[position...]), at: offset)
      offset += size
      if offset - base == bytes.count { return finding }
    }
  }

  private func checksum(
    ofRecord size: Int, in file: borrowing Descriptor
  ) throws(StorageError) -> UInt32 {
    var sum = Checksum()
    try file.add(offset + JournalRecord.headerSize..<offset + size, to: &sum)
    return sum.value
  }

  private mutating func end(
    atUnreadable size: Int, of file: borrowing Descriptor
  ) throws(StorageError) {
    tail = try .ofUnreadable(offset..<offset + size, of: file, upTo: fileEnd)
  }
}

/// The identity of one record of a journal: its offset, its length and its checksums.
struct RecordIdentity: Equatable {
  let offset: Int
  private let lengths: UInt64
  private let checksum: UInt32

  /// Creates the identity of the record that begins with `header`.
  init(_ header: UnsafeRawBufferPointer, at offset: Int) {
    self.offset = offset
    lengths = header.loadUnaligned(as: UInt64.self)
    checksum = header.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
  }
}
