/// The fields of the header of a GDBM file that locate its entries, validated against the size of
/// the file.
struct GDBMHeader: Equatable {
  /// The number of bytes at the start of a file that contain the fields.
  static let byteCount = 48

  let layout: GDBMLayout
  /// The offset of the directory, which is an array of the offsets of buckets.
  let directory: Int
  /// The number of leading hash bits that select an entry of the directory.
  let directoryBits: Int
  /// The size of each bucket in bytes.
  let bucketSize: Int
  /// The number of elements of each bucket.
  let elementCount: Int
  /// The size of the file in bytes.
  let fileSize: Int

  /// The number of entries of the directory.
  var directoryCount: Int { 1 << directoryBits }
  /// The offset after the directory.
  var directoryEnd: Int { directory + directoryCount * layout.offsetSize }

  /// Reads the header from the first bytes of a file; returns `nil` if a field is not valid.
  init?(_ bytes: UnsafeRawBufferPointer, fileSize: Int) {
    for layout in GDBMLayout.candidates(for: bytes) {
      if let header = GDBMHeader(bytes, layout, fileSize: fileSize) {
        self = header
        return
      }
    }
    return nil
  }

  private init?(_ bytes: UnsafeRawBufferPointer, _ layout: GDBMLayout, fileSize: Int) {
    let size = layout.offsetSize
    guard let directory = layout.offset(bytes, at: 8),
      let directorySize = layout.number(bytes, at: 8 + size),
      let bits = layout.number(bytes, at: 12 + size), (0...30).contains(bits),
      let bucketSize = layout.number(bytes, at: 16 + size),
      let elementCount = layout.number(bytes, at: 20 + size),
      directorySize == size << bits, directory >= 24 + size,
      directory <= fileSize, directorySize <= fileSize - directory,
      bucketSize >= layout.elementsOffset + layout.elementSize, bucketSize <= fileSize,
      elementCount == (bucketSize - layout.elementsOffset) / layout.elementSize
    else { return nil }
    self.layout = layout
    self.directory = directory
    self.directoryBits = bits
    self.bucketSize = bucketSize
    self.elementCount = elementCount
    self.fileSize = fileSize
  }

  /// Returns whether the headers are equal, except for the size of the file, which a writer
  /// increases before it changes an entry.
  func isSame(as other: GDBMHeader) -> Bool {
    layout == other.layout && directory == other.directory && directoryBits == other.directoryBits
      && bucketSize == other.bucketSize
  }
}
