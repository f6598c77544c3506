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
}

/// Zeros up to the end of a file, which a power cut leaves where the file grew before its data was
/// written.
///
/// A disk writes whole sectors of 512 bytes, so such zeros begin on a multiple of 512.
package enum UnwrittenSectors {
  private static let size = 512

  /// Returns whether a record reaches into unwritten sectors, so that it was never flushed.
  ///
  /// - Parameters:
  ///   - end: where the record ends, as an offset into `bytes`.
  ///   - bytes: the end of the file.
  ///   - base: the byte of the file at which `bytes` begin.
  package static func areReached(
    by end: Int, in bytes: UnsafeRawBufferPointer, from base: Int
  ) -> Bool {
    let written = base + (bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)
    return base + end > (written + size - 1) / size * size
  }
}
