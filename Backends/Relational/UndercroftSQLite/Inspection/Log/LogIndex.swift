import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The part of the index of a write-ahead log (`-shm`) that records the progress of checkpoints.
/// (`WalIndexHdr` and `WalCkptInfo`, the SQLite file format, section "WAL-Index Format")
///
/// Numbers are in the byte order of the machine that writes the index.
struct LogIndex {
  /// The number of frames, from the beginning of the log, whose pages are in the database file.
  let checkpointedFrameCount: UInt32

  private static let headerByteCount = 48

  /// Reads the index beside the database at `path`.
  ///
  /// Returns `nil` if the index is missing, belongs to another state of the log, or is open in this
  /// process: closing a second descriptor would drop the locks that SQLite holds on the index.
  init?(_ path: String, of log: LogHeader) {
    let path = path + "-shm"
    var status = stat()
    guard stat(path, &status) == 0, !Self.isOpen(status),
      let bytes = try? Descriptor(regularFile: path, O_RDONLY).read(136, at: 0),
      bytes.count == 136
    else { return nil }
    let count = bytes.withUnsafeBytes { Self.checkpointedFrameCount(in: $0, of: log) }
    guard let count else { return nil }
    checkpointedFrameCount = count
  }

  /// Returns the number of checkpointed frames, or `nil` if the index is changing, was not
  /// initialised, or belongs to another state of the log.
  private static func checkpointedFrameCount(
    in bytes: UnsafeRawBufferPointer, of log: LogHeader
  ) -> UInt32? {
    // The header is stored twice, and the copies differ while a writer changes it.
    let first = bytes[..<headerByteCount]
    guard first.elementsEqual(bytes[headerByteCount..<2 * headerByteCount]), first[12] != 0,
      // The salts are copied from the log byte by byte.
      UInt64(bytes.bigEndianWord(at: 32)) << 32 | UInt64(bytes.bigEndianWord(at: 36)) == log.salts
    else { return nil }
    return bytes.loadUnaligned(fromByteOffset: 2 * headerByteCount, as: UInt32.self)
  }

  /// Returns whether this process has a file open, or `true` if this cannot be determined.
  private static func isOpen(_ file: stat) -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd") else {
      return true
    }
    return names.contains { name in
      var other = stat()
      guard let descriptor = Int32(name), fstat(descriptor, &other) == 0 else { return false }
      return other.st_dev == file.st_dev && other.st_ino == file.st_ino
    }
  }
}
