import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The position of a record in the chain of all records of a vault.
///
/// Each record is authenticated with its position, so a record
/// that is moved to another position cannot be decrypted.
struct RecordPosition: Sendable, Equatable {
  let vault: Data
  let epoch: UInt64
  let number: UInt64
  /// The tag of the previous record, or no bytes for the first record.
  let previous: Data

  var authenticated: Data {
    var writer = ByteWriter()
    writer.put(vault)
    writer.put(epoch)
    writer.put(number)
    writer.put(previous)
    return Data(writer.bytes)
  }
}

/// The format of an encrypted change: the length with a checksum, then the salt, the nonce, the
/// ciphertext and the authentication tag.
enum VaultRecord {
  static let headerSize = 8
  private static let overhead = 16 + 12 + 16

  /// Encrypts a change as a record that ends with its authentication tag.
  ///
  /// The position of the next record contains this tag,
  /// so that records cannot be removed or reordered.
  ///
  /// - Parameter path: the path of the vault, for error messages.
  static func seal(
    _ part: VaultBatch.Part, _ keys: DerivedVaultKeys, at position: RecordPosition, of path: String
  ) throws(StorageError) -> Data {
    let plain = try VaultBatch.encode(part, of: path)
    let salt = RandomBytes.make(16)
    do {
      let box = try AES.GCM.seal(
        plain, using: keys.record(salt: salt), authenticating: position.authenticated)
      let count = UInt32(truncatingIfNeeded: overhead + box.ciphertext.count)
      var writer = ByteWriter()
      writer.put(count)
      writer.put(sum(of: count))
      writer.put(salt)
      writer.put(Data(box.nonce))
      writer.put(box.ciphertext)
      writer.put(box.tag)
      return Data(writer.bytes)
    } catch {
      throw StorageError(
        .io,
        """
        cannot encrypt a record of \(quoted(path)): the cryptographic library reported an error
        """,
        suggestion: "repeat the call; nothing was changed", underlying: error)
    }
  }

  /// The result of reading the length of a record.
  enum Finding {
    case record(size: Int)
    /// The bytes end within a record, because the writer was
    /// killed or failed before it acknowledged the batch.
    case torn
    /// The length has a wrong checksum, or is less than the length of any record.
    case unreadable
  }

  /// Reads the length of the record at the beginning of `bytes`.
  ///
  /// - Parameter rest: the number of bytes in the file from the beginning of the record.
  static func find(in bytes: UnsafeRawBufferPointer, of rest: Int) -> Finding {
    var reader = ByteReader(bytes)
    guard let count = reader.number(UInt32.self), let checksum = reader.number(UInt32.self) else {
      return .torn
    }
    guard sum(of: count) == checksum, count >= overhead else { return .unreadable }
    let size = headerSize + Int(count)
    return size <= rest ? .record(size: size) : .torn
  }

  /// Decrypts a complete record, passes the plain text to `body`, and returns the result of `body`.
  ///
  /// Returns `nil` if the record was changed or moved to another position. The plain text is
  /// overwritten afterwards: opening a vault decrypts all values, but few of them are read.
  static func open<Result>(
    _ record: Data, _ keys: DerivedVaultKeys, at position: RecordPosition,
    _ body: (VaultBatch.Entry, UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let sealed = Data(record.dropFirst(headerSize))
    guard sealed.count >= overhead,
      let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(16)),
      var plain = try? AES.GCM.open(
        box, using: keys.record(salt: Data(sealed.prefix(16))),
        authenticating: position.authenticated)
    else { return nil }
    defer { plain.resetBytes(in: 0..<plain.count) }
    return plain.withUnsafeBytes { plain in VaultBatch.decode(plain).map { body($0, plain) } }
  }

  static func tag(of record: Data) -> Data { Data(record.suffix(16)) }

  private static func sum(of count: UInt32) -> UInt32 {
    withUnsafeBytes(of: count.littleEndian) { Checksum.of($0) }
  }
}
