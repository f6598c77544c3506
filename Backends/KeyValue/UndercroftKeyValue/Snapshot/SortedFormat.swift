import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The toolkit's snapshot format: an index, and entries sorted by name, each with a checksum.
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
      let entryStart = entries.bytes.count
      entries.put(UInt32(truncatingIfNeeded: name.text.utf8.count))
      entries.put(UInt32(truncatingIfNeeded: value.count))
      entries.put(UInt32(0))
      entries.put(name.text)
      entries.put(value)
      let sum = entries.bytes.withUnsafeBytes {
        Self.sum(ofEntry: UnsafeRawBufferPointer(rebasing: $0[entryStart...]))
      }
      entries.overwrite(sum, at: entryStart + 8)
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

  /// Returns the checksum of an entry: of its lengths, name and value, without the field that
  /// contains the checksum.
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
        .corrupted,
        """
        cannot read \(quoted(path)): the file does not have the header of a store of .settings(at:)
        """,
        suggestion: "choose another path, or restore the file from a backup; nothing was changed")
    }
    if let index = header.withUnsafeBytes({ Index($0) }),
      let values = try Self.values(index, of: file)
    {
      return values
    }
    throw StorageError(
      .corrupted,
      "cannot read \(quoted(path)): the header, the index or an entry of the file is damaged",
      suggestion: "restore the file from a backup; nothing was changed")
  }

  /// The number of entries and the checksum of the index, as stored in the header.
  ///
  /// The index follows the header.
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

  /// Returns the values of the snapshot, keyed by name, or `nil` if the index or an entry is
  /// invalid.
  private static func values(
    _ index: Index, of file: borrowing Descriptor
  ) throws(StorageError) -> [ExactString: Data]? {
    let status = try file.status()
    let size = Int(status.st_size)
    // Each entry begins where the previous one ends, because overlapping entries could fill more
    // memory than the file has bytes.
    var end = headerSize + index.count * 8
    guard end <= size, index.count <= (size - end) / entryHeaderSize else { return nil }
    var offsets = FileWindow(upTo: end)
    var entries = FileWindow(upTo: size)
    // The header of a sparse file can declare any number of entries, so the initial capacity is
    // limited by the space that the file occupies.
    let storedSize = Int(status.st_blocks) * 512
    var values = [ExactString: Data](
      minimumCapacity: min(index.count, max(1 << 16, storedSize / (entryHeaderSize + 8))))
    var sum = Checksum()
    var last: String?
    for number in 0..<index.count {
      let slot = try offsets.bytes(from: headerSize + number * 8, atLeast: 8, of: file).prefix(8)
      let bytes = UnsafeRawBufferPointer(rebasing: slot)
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

  /// Returns whether `name` may follow `last` in a valid snapshot.
  ///
  /// Names are sorted by bytes. Earlier versions sorted names as Swift strings, which are compared
  /// in normalisation form C. The order of earlier versions is accepted as well.
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
      // The checksum is verified before memory is allocated for the entry.
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
