import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

extension GDBMFileReader {
  /// The maximum size of a key in bytes: 16 MiB.
  private static let maximumKeySize = 1 << 24

  /// The number of bytes that are read at once to find keys.
  private static let pieceSize = 4_096

  /// Returns the keys of the elements of a bucket, in the order of the elements.
  ///
  /// The records of a bucket usually occupy a few blocks of the file. The keys are therefore read
  /// in the order of their offsets, many at once.
  func keys(
    of bucket: GDBMBucket, _ header: GDBMHeader
  ) throws(StorageError) -> [Result<Data, StorageError>] {
    let elements = bucket.elements
    var keys = [Result<Data, StorageError>](repeating: .success(Data()), count: elements.count)
    var window = FileWindow(upTo: header.fileSize, capacity: Self.pieceSize)
    for index in elements.indices.sorted(by: { elements[$0].offset < elements[$1].offset }) {
      do throws(StorageError) {
        keys[index] = .success(try key(of: elements[index], &window))
      } catch {
        guard error.code == .corrupted else { throw error }
        keys[index] = .failure(error)
      }
    }
    return keys
  }

  /// Returns the key of a record.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if the hash of the key is not the hash of `element`.
  private func key(
    of element: GDBMBucket.Element, _ window: inout FileWindow
  ) throws(StorageError) -> Data {
    guard element.keySize <= Self.maximumKeySize else {
      throw damaged("an entry declares a key of \(element.keySize) bytes")
    }
    let read = try window.bytes(from: element.offset, atLeast: element.keySize, of: file)
    let key = UnsafeRawBufferPointer(rebasing: read.prefix(element.keySize))
    guard key.count == element.keySize, GDBMHash.isOne(element.hash, of: key) else {
      throw damaged("the key at byte \(element.offset) does not have the hash of its entry")
    }
    return Data(key)
  }

  /// Returns the element of the record with the given key, or `nil` if there is none.
  func element(
    forKey key: Data, _ header: GDBMHeader
  ) throws(StorageError) -> GDBMBucket.Element? {
    for hash in key.withUnsafeBytes({ GDBMHash.values(of: $0) }) {
      for element in try bucket(forHash: hash, header).elements
      where element.hash == hash && element.keySize == key.count {
        if try file.read(element.keySize, at: element.offset) == key { return element }
      }
    }
    return nil
  }

  /// Returns the value of the record with the given key, or `nil` if there is none.
  func value(forKey key: Data) throws(StorageError) -> Data? {
    try repeating { () throws(StorageError) in
      let header = try header()
      let element = try element(forKey: key, header)
      let value = try element.map { element throws(StorageError) in
        try file.read(element.valueSize, at: element.offset + element.keySize)
      }
      let later = try self.header()
      guard later.isSame(as: header), try self.element(forKey: key, later) == element else {
        return nil
      }
      // A value of the same size replaces the old value in its place.
      guard let element, let value else { return .some(nil) }
      return try isPresent(value, at: element.offset + element.keySize) ? .some(value) : nil
    }
  }

  /// Returns the value of a record, or `nil` if the record was removed after its key was read.
  ///
  /// Finding a record by its key reads a whole bucket twice. The value of a record that was not
  /// changed is therefore read at its place, and then only the element of the bucket.
  func value(of record: Record) throws(StorageError) -> Data? {
    let element = record.element
    let offset = element.offset + element.keySize
    do throws(StorageError) {
      let value = try file.read(element.valueSize, at: offset)
      // A value of the same size replaces the old value in its place.
      if value.count == element.valueSize, try hasElement(element),
        try isPresent(value, at: offset)
      {
        return value
      }
    } catch {
      // A file in the middle of a change can seem damaged.
      guard error.code == .corrupted else { throw error }
    }
    return try value(forKey: record.key)
  }

  /// Returns whether the bucket for the hash of an element contains the element at its number.
  private func hasElement(_ element: GDBMBucket.Element) throws(StorageError) -> Bool {
    let header = try header()
    guard element.number < header.elementCount else { return false }
    let layout = header.layout
    let bucket = try bucketOffset(forHash: element.hash, header).offset
    let bytes = try file.read(
      layout.elementSize,
      at: bucket + layout.elementsOffset + element.number * layout.elementSize)
    return bytes.withUnsafeBytes {
      GDBMBucket.Element($0, at: 0, element.number, layout) == element
    }
  }

  /// Returns whether the file contains a record with the given key.
  func hasValue(forKey key: Data) throws(StorageError) -> Bool {
    try repeating { () throws(StorageError) in
      let header = try header()
      let element = try element(forKey: key, header)
      let later = try self.header()
      guard later.isSame(as: header), try self.element(forKey: key, later) == element else {
        return nil
      }
      return element != nil
    }
  }

  private func isPresent(_ bytes: Data, at offset: Int) throws(StorageError) -> Bool {
    var start = 0
    while start < bytes.count {
      let piece = try file.read(min(1 << 20, bytes.count - start), at: offset + start)
      guard !piece.isEmpty, bytes.dropFirst(start).prefix(piece.count) == piece else {
        return false
      }
      start += piece.count
    }
    return true
  }

  /// Returns the number of records and the number of buckets.
  func counts() throws(StorageError) -> (records: Int, buckets: Int) {
    try repeating { () throws(StorageError) in
      let header = try header()
      var (records, buckets, checksum) = (0, 0, UInt32(0))
      try forEachBucket(of: header) { (bucket, sum) throws(StorageError) in
        records += bucket.elements.count
        buckets += 1
        checksum = sum
        return true
      }
      return try hasBuckets(buckets, checksum, header) ? (records, buckets) : nil
    }
  }

  /// Returns whether the first `count` buckets of the file still have the given checksum.
  func hasBuckets(
    _ count: Int, _ checksum: UInt32, _ header: GDBMHeader
  ) throws(StorageError) -> Bool {
    let later = try self.header()
    guard later.isSame(as: header) else { return false }
    var (rest, found) = (count, UInt32(0))
    guard rest > 0 else { return true }
    try forEachBucket(of: later) { (_, sum) throws(StorageError) in
      found = sum
      rest -= 1
      return rest > 0
    }
    return rest == 0 && found == checksum
  }
}
