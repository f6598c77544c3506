import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The encoding of one batch in the journal: length, checksum of the length, checksum of the
/// changes, and the changes.
///
/// The length has a separate checksum,
/// because a damaged length must not make a whole record appear truncated.
enum JournalRecord {
  static let headerSize = 12
  private static let setTag: UInt8 = 1
  private static let removeTag: UInt8 = 2

  /// Returns the record of a batch.
  ///
  /// - Parameters:
  ///   - changes: the changes of the batch.
  ///   - path: the path of the journal for error messages.
  /// - Throws: ``StorageError/Code/tooLarge`` if the record would have more than 4 GiB.
  static func encode(
    _ changes: [StorageChange], for path: String
  ) throws(StorageError) -> [UInt8] {
    var writer = ByteWriter()
    writer.reserve(headerSize + changes.reduce(0) { $0 + size(of: $1) })
    writer.put(UInt32(0))
    writer.put(UInt64(0))
    for change in changes {
      switch change {
      case .set(let name, let bytes):
        writer.put(setTag)
        writer.put(try length(name.utf8.count, path))
        writer.put(name)
        writer.put(try length(bytes.count, path))
        writer.put(bytes)
      case .remove(let name):
        writer.put(removeTag)
        writer.put(try length(name.utf8.count, path))
        writer.put(name)
      }
    }
    let count = try length(writer.bytes.count - headerSize, path)
    writer.overwrite(count, at: 0)
    writer.overwrite(checksum(of: count), at: 4)
    let sum = writer.bytes.withUnsafeBytes {
      Checksum.of(UnsafeRawBufferPointer(rebasing: $0[headerSize...]))
    }
    writer.overwrite(sum, at: 8)
    return writer.bytes
  }

  private static func size(of change: StorageChange) -> Int {
    switch change {
    case .set(let name, let bytes): name.utf8.count + bytes.count + 9
    case .remove(let name): name.utf8.count + 5
    }
  }

  private static func length(_ count: Int, _ path: String) throws(StorageError) -> UInt32 {
    guard let length = UInt32(exactly: count) else {
      throw StorageError(
        .tooLarge,
        """
        cannot write a batch of at least \(count) bytes to \(quoted(path)): the limit of one batch \
        is \(UInt32.max) bytes
        """,
        suggestion: """
          write fewer values in one batch, or save large values under a key of the kind .blob, \
          routed to .files(in:)
          """)
    }
    return length
  }

  private static func checksum(of length: UInt32) -> UInt32 {
    withUnsafeBytes(of: length.littleEndian) { Checksum.of($0) }
  }

  /// The result of decoding the bytes at one offset of a journal.
  enum Finding {
    case record(changes: [StorageChange], size: Int)
    /// The file ends in the middle of a record, because its writer was killed or its write failed
    /// before the batch was acknowledged.
    case torn
    /// The record, or its header, extends beyond the bytes that were read.
    ///
    /// `size` is the number of bytes to read before the next attempt.
    case incomplete(size: Int, checksum: UInt32)
    /// A checksum is wrong, or the changes cannot be decoded although their checksum matches.
    case unreadable(size: Int)
  }

  /// Decodes the record at `offset` of `bytes`.
  ///
  /// - Parameter rest: the number of bytes from the beginning of the record
  ///   to the end of the file, including bytes that are not in `bytes`.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, of rest: Int
  ) -> Finding {
    var reader = ByteReader(bytes, at: offset)
    guard let count = reader.number(UInt32.self), let lengthSum = reader.number(UInt32.self),
      let sum = reader.number(UInt32.self)
    else { return rest < headerSize ? .torn : .incomplete(size: headerSize, checksum: 0) }
    guard checksum(of: count) == lengthSum else { return .unreadable(size: headerSize) }
    let size = headerSize + Int(count)
    guard size <= rest else { return .torn }
    guard let body = reader.take(Int(count)) else {
      return .incomplete(size: size, checksum: sum)
    }
    guard Checksum.of(body) == sum, let changes = changes(in: body) else {
      return .unreadable(size: size)
    }
    return .record(changes: changes, size: size)
  }

  private static func changes(in body: UnsafeRawBufferPointer) -> [StorageChange]? {
    var reader = ByteReader(body)
    var changes: [StorageChange] = []
    while !reader.isAtEnd {
      guard let tag = reader.number(UInt8.self), let count = reader.number(UInt32.self),
        let nameBytes = reader.take(Int(count)),
        let name = String(validating: nameBytes, as: UTF8.self)
      else { return nil }
      switch tag {
      case setTag:
        guard let count = reader.number(UInt32.self), let value = reader.take(Int(count)) else {
          return nil
        }
        changes.append(.set(name, Data(value)))
      case removeTag: changes.append(.remove(name))
      default: return nil
      }
    }
    return changes
  }
}
