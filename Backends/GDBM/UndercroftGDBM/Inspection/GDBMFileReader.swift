import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A reader of a GDBM file that acquires no lock, so that it neither waits for an application that
/// has the file open, nor prevents it from writing.
///
/// The file can have any byte order and any size of file offsets. No size that the file declares
/// is trusted. A writer may be in the middle of a change: ``repeating(_:)`` runs a function until
/// everything that it reads belongs to one state of the file.
final class GDBMFileReader: Sendable {
  let path: String
  let file: Descriptor

  /// Opens the file at `path`.
  init(_ path: String) throws(StorageError) {
    file = try Descriptor(regularFile: path, O_RDONLY)
    self.path = path
  }

  /// Returns whether the path still names the open file.
  var isInPlace: Bool { (try? file.isFile(at: path)) == true }

  /// The number that identifies the file in its file system.
  var inode: UInt64? { (try? file.status()).map { UInt64($0.st_ino) } }

  /// Reads the header.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if a field is not valid.
  func header() throws(StorageError) -> GDBMHeader {
    let size = Int(try file.status().st_size)
    let bytes = try file.read(GDBMHeader.byteCount, at: 0)
    guard let header = bytes.withUnsafeBytes({ GDBMHeader($0, fileSize: size) }) else {
      throw damaged("the header is not valid")
    }
    return header
  }

  /// Calls `body` with each bucket and a checksum of everything read so far, until `body` returns
  /// `false`.
  ///
  /// The total size of the buckets that are read is at most the size of the file.
  func forEachBucket(
    of header: GDBMHeader,
    _ body: (GDBMBucket, _ checksum: UInt32) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var directory = FileWindow(upTo: header.directoryEnd)
    var (index, rest) = (0, header.fileSize / header.bucketSize)
    var checksum = Checksum()
    while index < header.directoryCount {
      rest -= 1
      guard rest >= 0 else { throw damaged("the directory refers to more buckets than fit") }
      let offset = try bucketOffset(index, header, &directory)
      let bytes = try file.read(header.bucketSize, at: offset)
      let bucket = try bucket(in: bytes, header, at: index)
      bytes.withUnsafeBytes { checksum.update($0) }
      let span = 1 << (header.directoryBits - bucket.bits)
      guard index % span == 0 else { throw damaged("the directory and a bucket do not match") }
      for other in index..<index + span
      where try bucketOffset(other, header, &directory) != offset {
        throw damaged("the directory and a bucket do not match")
      }
      withUnsafeBytes(of: offset) { checksum.update($0) }
      guard try body(bucket, checksum.value) else { return }
      index += span
    }
  }

  private func bucketOffset(
    _ index: Int, _ header: GDBMHeader, _ directory: inout FileWindow
  ) throws(StorageError) -> Int {
    let size = header.layout.offsetSize
    let bytes = try directory.bytes(
      from: header.directory + index * size, atLeast: size, of: file)
    guard let offset = header.layout.offset(bytes, at: 0), offset >= 0,
      offset <= header.fileSize - header.bucketSize
    else { throw damaged("the directory refers to a bucket after the end of the file") }
    return offset
  }

  /// Returns the bucket for a key with the given hash.
  func bucket(
    forHash hash: Int, _ header: GDBMHeader
  ) throws(StorageError) -> GDBMBucket {
    let (offset, index) = try bucketOffset(forHash: hash, header)
    return try bucket(in: try file.read(header.bucketSize, at: offset), header, at: index)
  }

  /// Returns the offset of the bucket for a key with the given hash, and the index of the entry of
  /// the directory that refers to the bucket.
  func bucketOffset(
    forHash hash: Int, _ header: GDBMHeader
  ) throws(StorageError) -> (offset: Int, index: Int) {
    let index = hash >> (31 - header.directoryBits)
    let size = header.layout.offsetSize
    var entry = FileWindow(upTo: header.directory + (index + 1) * size)
    return (try bucketOffset(index, header, &entry), index)
  }

  private func bucket(
    in bytes: Data, _ header: GDBMHeader, at index: Int
  ) throws(StorageError) -> GDBMBucket {
    switch bytes.withUnsafeBytes({ GDBMBucket.read($0, of: header, at: index) }) {
    case .success(let bucket): return bucket
    case .failure(let damage): throw damaged(damage.reason)
    }
  }

  func damaged(_ reason: String) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): \(reason)",
      suggestion: StorageError.repairingGDBM)
  }
}
