import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Our own snapshot: an index and entries in the order of their names, each with a checksum.
struct SortedFormat: SnapshotFormat {
  private static let magic: [UInt8] = Array("UNDSNAP1".utf8)
  private static let headerSize = 24
  private static let entryHeaderSize = 12

  var name: String { "settings" }
  var isForOtherTools: Bool { false }

  func recognises(_ start: [UInt8]) -> Bool { start.starts(with: Self.magic) }

  // MARK: Writing

  func write(_ values: [ExactString: Data], to path: String) throws(StorageError) {
    var index = ByteWriter()
    var entries = ByteWriter()
    let start = Self.headerSize + values.count * 8
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      index.put(UInt64(start + entries.bytes.count))
      let place = entries.bytes.count
      entries.put(UInt32(truncatingIfNeeded: name.text.utf8.count))
      entries.put(UInt32(truncatingIfNeeded: value.count))
      entries.put(UInt32(0))
      entries.put(name.text)
      entries.put(value)
      let sum = entries.bytes.withUnsafeBytes {
        Self.sum(ofEntry: UnsafeRawBufferPointer(rebasing: $0[place...]))
      }
      entries.overwrite(sum, at: place + 8)
    }
    var header = ByteWriter()
    header.put(Data(Self.magic))
    header.put(UInt64(values.count))
    header.put(Checksum.of(index.bytes))
    header.put(Checksum.of(header.bytes))
    let file = try Descriptor(opening: path, O_WRONLY)
    try file.write(Data(header.bytes + index.bytes))
    try file.write(Data(entries.bytes))
  }

  /// The sum over lengths, name and value, leaving out the field that holds it.
  private static func sum(ofEntry entry: UnsafeRawBufferPointer) -> UInt32 {
    var sum = Checksum()
    sum.update(UnsafeRawBufferPointer(rebasing: entry[..<8]))
    sum.update(UnsafeRawBufferPointer(rebasing: entry[entryHeaderSize...]))
    return sum.value
  }

  // MARK: Reading

  func read(_ path: String) throws(StorageError) -> [ExactString: Data]? {
    guard try Folder.hasEntry(at: path) else { return nil }
    let bytes = [UInt8](try Descriptor(regularFile: path, O_RDONLY).readAll())
    let values = bytes.withUnsafeBytes { bytes in
      Self.count(in: bytes).flatMap { Self.values($0, in: bytes) }
    }
    if let values { return values }
    if !bytes.starts(with: Self.magic) {
      throw StorageError(
        .corrupted, "cannot read \(quoted(path)): it does not begin as a settings store does",
        cure: "choose another path, or restore it from a backup; nothing was changed")
    }
    throw StorageError(
      .corrupted, "cannot read \(quoted(path)): its header, index or an entry is damaged",
      cure: "restore it from a backup; nothing was changed")
  }

  private static func count(in bytes: UnsafeRawBufferPointer) -> Int? {
    var reader = ByteReader(bytes)
    guard let magic = reader.take(8), magic.elementsEqual(Self.magic),
      let count = reader.number(UInt64.self), let indexSum = reader.number(UInt32.self),
      let headerSum = reader.number(UInt32.self),
      Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<20])) == headerSum, count < 1 << 48,
      let index = reader.take(Int(count) * 8), Checksum.of(index) == indexSum
    else { return nil }
    return Int(count)
  }

  private static func values(
    _ count: Int, in bytes: UnsafeRawBufferPointer
  ) -> [ExactString: Data]? {
    var values = [ExactString: Data](minimumCapacity: count)
    // Each entry begins where the one before ends: entries that overlap would fill more memory than
    // the file has bytes.
    var end = headerSize + count * 8
    var last: String?
    for place in 0..<count {
      var index = ByteReader(bytes, at: headerSize + place * 8)
      guard index.number(UInt64.self) == UInt64(end),
        let (name, value) = entry(at: end, in: bytes), last.map({ isRising($0, name) }) ?? true,
        values.updateValue(value, forKey: name.exact) == nil
      else { return nil }
      last = name
      end += entryHeaderSize + name.utf8.count + value.count
    }
    return end == bytes.count ? values : nil
  }

  /// Whether a writer puts `name` after `last`: in the order of bytes, or of canonically equivalent
  /// strings, in which versions before the comparison by bytes wrote names that are not in form C.
  private static func isRising(_ last: String, _ name: String) -> Bool {
    last.exact < name.exact || last < name
  }

  private static func entry(
    at offset: Int, in bytes: UnsafeRawBufferPointer
  ) -> (name: String, value: Data)? {
    var reader = ByteReader(bytes, at: offset)
    guard let nameCount = reader.number(UInt32.self), let count = reader.number(UInt32.self),
      let kept = reader.number(UInt32.self), let name = reader.take(Int(nameCount)),
      let value = reader.take(Int(count)),
      sum(ofEntry: UnsafeRawBufferPointer(rebasing: bytes[offset..<reader.offset])) == kept,
      let text = String(validating: name, as: UTF8.self)
    else { return nil }
    return (text, Data(value))
  }
}
