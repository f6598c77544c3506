/// A bucket of a GDBM file: the elements whose hashes begin with the same bits.
struct GDBMBucket {
  /// An element of a bucket, which locates a record: the bytes of a key and of its value.
  struct Element: Equatable {
    /// The 31-bit hash of the key.
    let hash: Int
    /// The offset of the record.
    let offset: Int
    let keySize: Int
    let valueSize: Int
    /// The number of the element in its bucket, counted from 0.
    let number: Int

    /// Reads the fields of an element at `position`; returns `nil` if the bytes end before it or if
    /// the element is empty.
    init?(
      _ bytes: UnsafeRawBufferPointer, at position: Int, _ number: Int, _ layout: GDBMLayout
    ) {
      guard let hash = layout.number(bytes, at: position), hash != -1,
        let offset = layout.offset(bytes, at: position + 8),
        let keySize = layout.number(bytes, at: position + 8 + layout.offsetSize),
        let valueSize = layout.number(bytes, at: position + 12 + layout.offsetSize)
      else { return nil }
      self.hash = hash
      self.offset = offset
      self.keySize = keySize
      self.valueSize = valueSize
      self.number = number
    }
  }

  /// The number of leading hash bits that all elements have in common.
  let bits: Int
  let elements: [Element]

  /// Reads a bucket; returns the reason if a field is not valid.
  ///
  /// - Parameter index: the index of an entry of the directory that refers to the bucket.
  static func read(
    _ bytes: UnsafeRawBufferPointer, of header: GDBMHeader, at index: Int
  ) -> Result<GDBMBucket, Damage> {
    let layout = header.layout
    guard bytes.count == header.bucketSize,
      let bits = layout.number(bytes, at: layout.bucketBitsOffset),
      let count = layout.number(bytes, at: layout.bucketBitsOffset + 4)
    else { return .failure(Damage("the file ends inside a bucket")) }
    guard (0...header.directoryBits).contains(bits) else {
      return .failure(Damage("a bucket declares \(bits) hash bits"))
    }
    let prefix = index >> (header.directoryBits - bits)
    var elements: [Element] = []
    for number in 0..<header.elementCount {
      let position = layout.elementsOffset + number * layout.elementSize
      guard let hash = layout.number(bytes, at: position), hash != -1 else { continue }
      guard let element = Element(bytes, at: position, number, layout),
        element.offset >= 0, element.offset <= header.fileSize, element.keySize >= 0,
        element.valueSize >= 0,
        element.keySize + element.valueSize <= header.fileSize - element.offset
      else { return .failure(Damage("an entry declares bytes after the end of the file")) }
      guard hash >= 0, hash >> (31 - bits) == prefix else {
        return .failure(Damage("a bucket contains an entry of another bucket"))
      }
      elements.append(element)
    }
    guard elements.count == count else {
      return .failure(
        Damage(
          "a bucket declares \(count) entries, and the number of its entries is \(elements.count)"))
    }
    return .success(GDBMBucket(bits: bits, elements: elements))
  }

  /// The reason why the bytes of a file are not valid.
  struct Damage: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }
}
