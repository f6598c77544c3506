package import UndercroftCore

/// What follows the last whole record of an append-only file.
package enum RecordTail: Sendable, Equatable {
  /// Nothing follows.
  case none
  /// A batch follows that was never acknowledged: its writer died or failed.
  case torn
  /// A damaged record begins here; so many bytes follow up to the end of the file.
  case damaged(byteCount: Int)

  package var isDamaged: Bool {
    if case .damaged = self { return true }
    return false
  }

  /// A disk writes whole sectors of 512 bytes.
  private static let sectorSize = 512

  /// Returns what a record is that cannot be read.
  ///
  /// A record is torn if it reaches into zeros that begin on a multiple of 512 and end with the
  /// file. A power cut leaves such zeros where the file grew before its data was written, so the
  /// record was never flushed. Any other record is damaged.
  ///
  /// - Parameters:
  ///   - range: the bytes of the record, as far as its size is known.
  ///   - fileEnd: where the file ended when the record was read.
  package static func ofUnreadable(
    _ range: Range<Int>, of file: borrowing Descriptor, upTo fileEnd: Int
  ) throws(StorageError) -> RecordTail {
    let dataEnd = try file.endOfData(in: range.lowerBound..<fileEnd)
    // Rounding up could overflow at the end of a sparse file, so the sectors of the last bytes are
    // compared.
    let isTorn =
      dataEnd == range.lowerBound
      || (range.upperBound - 1) / sectorSize > (dataEnd - 1) / sectorSize
    return isTorn ? .torn : .damaged(byteCount: fileEnd - range.lowerBound)
  }
}
