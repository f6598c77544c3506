package import UndercroftCore

/// A buffer that reads a file piece by piece, so that
/// a sparse file of any size needs little memory.
///
/// If the content of the file states the size of a record, verify this size, for example with a
/// checksum, before passing a count greater than ``capacity`` to ``bytes(from:atLeast:of:)``.
/// Without this verification, a damaged size could make the buffer allocate too much memory.
package struct FileWindow: ~Copyable {
  /// The number of bytes that are read in one piece, unless a caller requests more: 16 MiB.
  package static let capacity = 16 << 20

  private let capacity: Int
  /// The offset at which reading ends, even if the file has grown since.
  private let fileEnd: Int
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The offset in the file at which the buffer begins.
  private var base = 0
  /// The number of bytes in the buffer that were read from the file.
  private var filledCount = 0

  /// Creates an empty window for reading a file up to the offset `fileEnd`; allocates no memory.
  ///
  /// - Parameter capacity: the number of bytes that are read in one piece, unless a caller requests
  ///   more.
  package init(upTo fileEnd: Int, capacity: Int = Self.capacity) {
    self.fileEnd = fileEnd
    self.capacity = capacity
  }

  deinit { free(buffer.baseAddress) }

  /// Returns the buffered bytes of `file` from `offset`, after reading more bytes if necessary.
  ///
  /// The bytes are valid until the next call.
  ///
  /// The result has at least `count` bytes, unless the file ends earlier.
  package mutating func bytes(
    from offset: Int, atLeast count: Int, of file: borrowing Descriptor
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    let isFilled = offset >= base && offset - base <= filledCount
    if !isFilled || filledCount - (offset - base) < min(count, fileEnd - offset) {
      try fill(from: offset, count, of: file)
    }
    return UnsafeRawBufferPointer(rebasing: buffer[(offset - base)..<filledCount])
  }

  private mutating func fill(
    from offset: Int, _ count: Int, of file: borrowing Descriptor
  ) throws(StorageError) {
    let wanted = min(max(count, capacity), fileEnd - offset)
    filledCount = 0
    base = offset
    if buffer.count < wanted {
      free(buffer.baseAddress)
      buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      // Not an array, which crashes if there is not enough memory.
      guard let start = malloc(wanted) else { throw .system("read", file.path) }
      buffer = UnsafeMutableRawBufferPointer(start: start, count: wanted)
    }
    filledCount = try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
  }
}
