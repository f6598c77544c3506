import UndercroftCore
import UndercroftFileSystem

/// A valid frame of a write-ahead log. (The SQLite file format, section 4.1)
struct LogFrame {
  /// The index of the frame in the log, counted from 0.
  let index: UInt32
  /// The number of the page in the frame, counted from 1.
  let page: UInt32
  /// The size of the database in pages after the transaction that this frame ends, or 0 if this
  /// frame does not end a transaction.
  let pageCount: UInt32

  var isCommit: Bool { pageCount != 0 }
}

/// A position between two frames, from which the frames of a log can be read.
struct LogPosition {
  /// The number of frames before the position.
  private(set) var frameCount: UInt32 = 0
  /// The cumulative checksum of all bytes before the position.
  private var checksum: LogChecksum

  /// Creates the position of the first frame.
  init(startOf header: LogHeader) { checksum = header.checksum }

  /// Returns the frame in `bytes` and moves to the position after the frame, or returns `nil` if
  /// the frame is not valid here.
  ///
  /// A frame that was not completely written, that remains from an earlier use of the file, or that
  /// follows such a frame does not have the expected salts or the expected cumulative checksum.
  mutating func advance(over bytes: UnsafeRawBufferPointer, _ header: LogHeader) -> LogFrame? {
    let page = bytes.bigEndianWord(at: 0)
    let salts = UInt64(bytes.bigEndianWord(at: 8)) << 32 | UInt64(bytes.bigEndianWord(at: 12))
    guard page != 0, salts == header.salts, frameCount < .max else { return nil }
    var checksum = checksum
    checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
    checksum.add(UnsafeRawBufferPointer(rebasing: bytes[LogHeader.frameHeaderByteCount...]))
    guard checksum.equals(bytes.bigEndianWord(at: 16), bytes.bigEndianWord(at: 20)) else {
      return nil
    }
    let frame = LogFrame(index: frameCount, page: page, pageCount: bytes.bigEndianWord(at: 4))
    self.checksum = checksum
    frameCount += 1
    return frame
  }
}

extension LogHeader {
  private static let maximumBufferByteCount = 1 << 20

  /// Calls `body` with each valid frame after `start` and with the position after that frame, and
  /// ends at the first frame that is not valid.
  ///
  /// The first read requests a single frame, because most calls only check that no further frame
  /// exists. Later reads request up to 1 MiB.
  func forEachFrame(
    of file: borrowing Descriptor, after start: LogPosition,
    _ body: (LogFrame, LogPosition) -> Void
  ) throws(StorageError) {
    let limit = max(1, Self.maximumBufferByteCount / frameByteCount)
    // Not an array, which crashes if there is not enough memory.
    guard let memory = malloc(limit * frameByteCount) else { throw .system("read", file.path) }
    defer { free(memory) }
    var position = start
    var wanted = 1
    while true {
      let buffer = UnsafeMutableRawBufferPointer(start: memory, count: wanted * frameByteCount)
      let count = try file.read(into: buffer, at: offset(ofFrame: position.frameCount))
      // The end of the log may contain a part of a frame.
      let complete = count / frameByteCount
      for index in 0..<complete {
        let range = index * frameByteCount..<(index + 1) * frameByteCount
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[range])
        guard let frame = position.advance(over: bytes, self) else { return }
        body(frame, position)
      }
      guard complete == wanted else { return }
      wanted = min(wanted * 4, limit)
    }
  }
}
