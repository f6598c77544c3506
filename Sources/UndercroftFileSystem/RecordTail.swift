package import UndercroftCore

/// The kind of bytes that follow the last complete record of an append-only file.
package enum RecordTail: Sendable, Equatable {
  /// No bytes follow the last complete record.
  case none
  /// An incomplete batch follows the last complete record, because
  /// its writer crashed or failed before it acknowledged the batch.
  case torn
  /// A damaged record follows the last intact record; `byteCount` is the number of bytes from the
  /// start of the damaged record to the end of the file.
  case damaged(byteCount: Int)

  /// Whether a damaged record follows the last intact record.
  package var isDamaged: Bool {
    if case .damaged = self { return true }
    return false
  }

  /// The size in bytes of a disk sector, which a disk writes as a whole.
  private static let sectorSize = 512

  /// Returns ``torn`` or ``damaged(byteCount:)`` for a record that cannot be read.
  ///
  /// A record is torn if it reaches into zeros that begin at a multiple of 512 bytes and
  /// end with the file. A power failure leaves such zeros if the file grew before its
  /// data was written, so the record was never flushed. Any other record is damaged.
  ///
  /// - Parameters:
  ///   - range: the bytes of the record, as far as its size is known.
  ///   - file: the file that contains the record.
  ///   - fileEnd: the size of the file when the record was read.
  package static func ofUnreadable(
    _ range: Range<Int>, of file: borrowing Descriptor, upTo fileEnd: Int
  ) throws(StorageError) -> RecordTail {
    let dataEnd = try file.endOfData(in: range.lowerBound..<fileEnd)
    // Compares the sectors of the last bytes, because
    // rounding up could overflow at the end of a sparse file.
    let isTorn =
      dataEnd == range.lowerBound
      || (range.upperBound - 1) / sectorSize > (dataEnd - 1) / sectorSize
    return isTorn ? .torn : .damaged(byteCount: fileEnd - range.lowerBound)
  }
}
