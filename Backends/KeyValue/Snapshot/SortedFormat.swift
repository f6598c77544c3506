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
    let file = try Descriptor(regularFile: path, O_RDONLY)
    let header = try file.read(Self.headerSize, at: 0)
    guard header.starts(with: Self.magic) else {
      throw StorageError(
        .corrupted, "cannot read \(quoted(path)): it does not begin as a settings store does",
        cure: "choose another path, or restore it from a backup; nothing was changed")
    }
    if let index = header.withUnsafeBytes({ Index($0) }),
      let values = try Self.values(index, of: file)
    {
      return values
    }
    throw StorageError(
      .corrupted, "cannot read \(quoted(path)): its header, index or an entry is damaged",
      cure: "restore it from a backup; nothing was changed")
  }

  /// What the header says of the index, which follows the header.
  private struct Index {
    let count: Int
    let checksum: UInt32

    init?(_ header: UnsafeRawBufferPointer) {
      var reader = ByteReader(header, at: SortedFormat.magic.count)
      guard let count = reader.number(UInt64.self), let indexSum = reader.number(UInt32.self),
        let headerSum = reader.number(UInt32.self),
        Checksum.of(UnsafeRawBufferPointer(rebasing: header[..<20])) == headerSum, count < 1 << 48
      else { return nil }
      self.count = Int(count)
      checksum = indexSum
    }
  }

  /// Reads index and entries side by side, and stops at the first one that is wrong.
  private static func values(
    _ index: Index, of file: borrowing Descriptor
  ) throws(StorageError) -> [ExactString: Data]? {
    let size = Int(try file.status().st_size)
    // Each entry begins where the one before ends: entries that overlap would fill more memory than
    // the file has bytes.
    var end = headerSize + index.count * 8
    guard end <= size, index.count <= (size - end) / entryHeaderSize else { return nil }
    var places = FileWindow(upTo: end)
    var entries = FileWindow(upTo: size)
    // The header of a sparse file may claim any number of entries.
    var values = [ExactString: Data](minimumCapacity: min(index.count, 1 << 16))
    var sum = Checksum()
    var last: String?
    for number in 0..<index.count {
      let place = try places.bytes(from: headerSize + number * 8, atLeast: 8, of: file).prefix(8)
      let bytes = UnsafeRawBufferPointer(rebasing: place)
      var reader = ByteReader(bytes)
      guard reader.number(UInt64.self) == UInt64(end),
        let (name, value, next) = try entry(at: end, upTo: size, &entries, of: file),
        last.map({ isRising($0, name) }) ?? true,
        values.updateValue(value, forKey: name.exact) == nil
      else { return nil }
      sum.update(bytes)
      last = name
      end = next
    }
    return end == size && sum.value == index.checksum ? values : nil
  }

  /// Whether a writer puts `name` after `last`: in the order of bytes, or of canonically equivalent
  /// strings, in which versions before the comparison by bytes wrote names that are not in form C.
  private static func isRising(_ last: String, _ name: String) -> Bool {
    last.exact < name.exact || last < name
  }

  private static func entry(
    at offset: Int, upTo fileEnd: Int, _ window: inout FileWindow, of file: borrowing Descriptor
  ) throws(StorageError) -> (name: String, value: Data, end: Int)? {
    var reader = ByteReader(
      try window.bytes(from: offset, atLeast: entryHeaderSize, of: file))
    guard let nameCount = reader.number(UInt32.self), let count = reader.number(UInt32.self),
      let checksum = reader.number(UInt32.self)
    else { return nil }
    let size = entryHeaderSize + Int(nameCount) + Int(count)
    guard size <= fileEnd - offset else { return nil }
    if size > FileWindow.capacity {
      // Verified before memory is allocated for it.
      var sum = Checksum()
      try file.add(offset..<offset + 8, to: &sum)
      try file.add(offset + entryHeaderSize..<offset + size, to: &sum)
      guard sum.value == checksum else { return nil }
    }
    let bytes = try window.bytes(from: offset, atLeast: size, of: file).prefix(size)
    let entry = UnsafeRawBufferPointer(rebasing: bytes)
    guard entry.count == size, sum(ofEntry: entry) == checksum else { return nil }
    let value = size - Int(count)
    let name = UnsafeRawBufferPointer(rebasing: entry[entryHeaderSize..<value])
    guard let name = String(validating: name, as: UTF8.self) else { return nil }
    return (name, Data(entry[value...]), offset + size)
  }
}
