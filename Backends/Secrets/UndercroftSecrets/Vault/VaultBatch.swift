import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The plaintext of a record: one change of a batch, followed by zero bytes.
///
/// The padding rounds up the size, so that the size of the record reveals little about the change.
enum VaultBatch {
  private static let setTag: UInt8 = 1
  private static let removeTag: UInt8 = 2
  private static let endFlag: UInt8 = 1

  /// One change of a batch.
  ///
  /// Each change is sealed as a separate record, so that reading a value decrypts only that value.
  struct Part {
    let change: StorageChange
    /// Whether this change is the last change of the batch; the last change commits the batch.
    let isLast: Bool
  }

  static func encode(_ part: Part, of path: String) throws(StorageError) -> Data {
    let change = part.change
    var body = ByteWriter()
    body.put(tag(of: change))
    body.put(part.isLast ? endFlag : 0)
    body.put(UInt32(truncatingIfNeeded: change.name.utf8.count))
    body.put(change.name)
    if case .set(_, let bytes) = change {
      guard bytes.count < 1 << 30 else { throw tooLarge(change.name, bytes.count, in: path) }
      body.put(UInt32(truncatingIfNeeded: bytes.count))
      body.put(bytes)
    }
    body.put(Data(count: paddedSize(body.bytes.count) - body.bytes.count))
    return Data(body.bytes)
  }

  /// The content of a decrypted record, with the range of the value instead of its bytes.
  struct Entry {
    let name: String
    /// The range of the value in the plain text, or `nil` if the change removes the value.
    let value: Range<Int>?
    let isLast: Bool
  }

  static func decode(_ plain: UnsafeRawBufferPointer) -> Entry? {
    var reader = ByteReader(plain)
    guard let tag = reader.number(UInt8.self), let end = reader.number(UInt8.self),
      let count = reader.number(UInt32.self), let bytes = reader.take(Int(count)),
      let name = String(validating: bytes, as: UTF8.self)
    else { return nil }
    switch tag {
    case setTag:
      guard let count = reader.number(UInt32.self), reader.take(Int(count)) != nil else {
        return nil
      }
      return Entry(
        name: name, value: reader.offset - Int(count)..<reader.offset, isLast: end == endFlag)
    case removeTag: return Entry(name: name, value: nil, isLast: end == endFlag)
    default: return nil
    }
  }

  /// Returns `count` rounded up to a multiple of 256 bytes.
  ///
  /// If `count` is above 4,096, the result is a multiple of the greatest power of two that is at
  /// most an eighth of `count`.
  static func paddedSize(_ count: Int) -> Int {
    let step = count <= 4_096 ? 256 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount - 3)
    return (count + step - 1) / step * step
  }

  private static func tag(of change: StorageChange) -> UInt8 {
    if case .set = change { return setTag }
    return removeTag
  }

  private static func tooLarge(_ name: String, _ count: Int, in path: String) -> StorageError {
    StorageError(
      .tooLarge,
      """
      cannot save the value of \(quoted(name)) in the vault \(quoted(path)): the value has \
      \(count) bytes, but the limit is \(1 << 30 - 1) bytes
      """,
      suggestion: """
        save large values under a key of the kind .blob, routed to .files(in:) with \
        .encrypted(with:)
        """,
      key: name)
  }
}
