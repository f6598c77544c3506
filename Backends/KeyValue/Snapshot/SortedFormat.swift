import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Our own snapshot: an index and sorted entries, each with a checksum, read whole into memory.
///
/// Settings are small, and a file in memory cannot fail under the reader's feet as a mapped one can.
struct SortedFormat: SnapshotFormat {
  static let magic: [UInt8] = Array("UNDSNAP1".utf8)
  static let headerSize = 24
  static let entryHeaderSize = 12

  var name: String { "settings" }
  var isForOtherTools: Bool { false }

  func recognises(_ start: [UInt8]) -> Bool { start.starts(with: Self.magic) }

  func open(_ path: String) throws(StorageError) -> (any Snapshot)? {
    guard access(path, F_OK) == 0 else { return nil }
    let file = try Descriptor(opening: path, O_RDONLY)
    return try SortedSnapshot(try file.readAll(), path: path)
  }

  func write(_ entries: SnapshotEntries, to path: String) throws(StorageError) {
    let file = try Descriptor(opening: path, O_WRONLY)
    // First the entries, leaving room for header and index, which are known only then.
    var index = ByteWriter()
    var offset = Self.headerSize + entries.names.count * 8
    guard lseek(file.raw, off_t(offset), SEEK_SET) >= 0 else { throw .system("write", path) }
    var buffer = ByteWriter()
    for name in entries.names {
      let value = try entries.bytes(name)
      index.put(UInt64(offset))
      let start = buffer.bytes.count
      buffer.put(UInt32(name.utf8.count))
      buffer.put(UInt32(value.count))
      buffer.put(UInt32(0))
      buffer.put(name)
      buffer.put(value)
      buffer.overwrite(Self.sum(ofEntry: buffer.bytes[start...]), at: start + 8)
      offset += buffer.bytes.count - start
      if buffer.bytes.count > 1 << 20 {
        try file.write(Data(buffer.bytes))
        buffer.removeAll()
      }
    }
    try file.write(Data(buffer.bytes))
    var header = ByteWriter()
    for byte in Self.magic { header.put(byte) }
    header.put(UInt64(entries.names.count))
    header.put(Checksum.of(index.bytes))
    header.put(Checksum.of(header.bytes))
    guard lseek(file.raw, 0, SEEK_SET) >= 0 else { throw .system("write", path) }
    try file.write(Data(header.bytes + index.bytes))
  }

  /// The sum over lengths, name and value, leaving out the field that holds it.
  static func sum(ofEntry entry: some Collection<UInt8>) -> UInt32 {
    var sum = Checksum()
    let lengths = Array(entry.prefix(8))
    lengths.withUnsafeBytes { sum.update($0) }
    let rest = entry.dropFirst(entryHeaderSize)
    rest.withContiguousStorageIfAvailable { sum.update(UnsafeRawBufferPointer($0)) }
    return sum.value
  }
}
