import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The format of a single-file store: a header with a checksum,
/// and then the compressed entries in the order of their names.
enum SingleFileFormat {
  static let magic: [UInt8] = Array("UNDFILE1".utf8)
  static let headerSize = 40

  static func encode(_ entries: [ExactString: Data], limit: Int, path: String) throws(StorageError)
    -> Data
  {
    var body = ByteWriter()
    for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
      guard let count = UInt32(exactly: value.count) else {
        throw StorageError(
          .tooLarge,
          """
          cannot write \(quoted(path)): the value of the entry \(quoted(name.text)) has \
          \(value.count) bytes, and the limit of one value is \(UInt32.max) bytes
          """,
          suggestion: "save large values under a key of the kind .blob, routed to .files(in:)")
      }
      body.put(UInt32(truncatingIfNeeded: name.text.utf8.count))
      body.put(count)
      body.put(name.text)
      body.put(value)
      guard body.bytes.count <= limit else { throw tooLarge("write", path, limit) }
    }
    let packed = try Deflate.compress(body.bytes, for: path)
    var header = ByteWriter()
    for byte in magic { header.put(byte) }
    header.put(UInt64(entries.count))
    header.put(UInt64(body.bytes.count))
    header.put(UInt64(packed.count))
    header.put(Checksum.of(packed))
    header.put(Checksum.of(header.bytes))
    return Data(header.bytes) + Data(packed)
  }

  /// Reads the entries of a file.
  ///
  /// The sizes in the header are verified against `limit` and the size of the file before memory is
  /// allocated.
  static func read(_ file: borrowing Descriptor, limit: Int) throws(StorageError) -> [ExactString:
    Data]
  {
    let path = file.path
    guard let header = Header([UInt8](try file.read(headerSize, at: 0))) else {
      throw damaged(path)
    }
    guard header.size <= limit else { throw tooLarge("read", path, limit) }
    let size = Int(try file.status().st_size)
    guard header.packedSize == size - headerSize, header.packedSize <= Deflate.bound(header.size)
    else { throw damaged(path) }
    let packed = [UInt8](try file.read(header.packedSize, at: headerSize))
    guard packed.count == header.packedSize, Checksum.of(packed) == header.sum,
      let body = Deflate.decompress(packed, to: header.size),
      let entries = entries(in: body, count: header.count)
    else { throw damaged(path) }
    return entries
  }

  /// Throws if the file at `path` does not begin with ``magic``.
  ///
  /// A missing file is not an error.
  static func rejectForeignFile(at path: String) throws(StorageError) {
    guard try Folder.hasEntry(at: path) else { return }
    let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    guard try file.read(magic.count, at: 0).elementsEqual(magic) else { throw damaged(path) }
  }

  private struct Header {
    let count: Int
    let size: Int
    let packedSize: Int
    let sum: UInt32

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= headerSize, bytes.starts(with: magic) else { return nil }
      let numbers = bytes.withUnsafeBytes {
        buffer -> (UInt64?, UInt64?, UInt64?, UInt32?, UInt32?) in
        var reader = ByteReader(buffer, at: 8)
        return (
          reader.number(UInt64.self), reader.number(UInt64.self), reader.number(UInt64.self),
          reader.number(UInt32.self), reader.number(UInt32.self)
        )
      }
      guard numbers.4 == Checksum.of(bytes[..<36]), let sum = numbers.3,
        let count = numbers.0.flatMap(Int.init(exactly:)),
        let size = numbers.1.flatMap(Int.init(exactly:)),
        let packedSize = numbers.2.flatMap(Int.init(exactly:))
      else { return nil }
      self.count = count
      self.size = size
      self.packedSize = packedSize
      self.sum = sum
    }
  }

  private static func entries(in body: [UInt8], count: Int) -> [ExactString: Data]? {
    body.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      var entries: [ExactString: Data] = [:]
      while !reader.isAtEnd {
        guard let nameCount = reader.number(UInt32.self), let count = reader.number(UInt32.self),
          let nameBytes = reader.take(Int(nameCount)), let value = reader.take(Int(count)),
          let name = String(validating: nameBytes, as: UTF8.self),
          entries.updateValue(Data(value), forKey: name.exact) == nil
        else { return nil }
      }
      return entries.count == count ? entries : nil
    }
  }

  private static func damaged(_ path: String) -> StorageError {
    StorageError(
      .corrupted,
      "cannot read \(quoted(path)): the file is damaged, or is not a single-file store",
      suggestion: "restore the file from a backup, or choose another path; nothing was changed")
  }

  private static func tooLarge(_ verb: String, _ path: String, _ limit: Int) -> StorageError {
    let raising = "open the backend with a larger maximumSize"
    return StorageError(
      .tooLarge,
      "cannot \(verb) \(quoted(path)): the uncompressed entries exceed the limit of \(limit) bytes",
      suggestion: verb == "read"
        ? raising
        : "\(raising), or save large values under a key of the kind .blob, routed to .files(in:)")
  }
}
