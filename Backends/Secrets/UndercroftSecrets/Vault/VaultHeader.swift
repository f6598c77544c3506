import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The unencrypted part of a vault: its identifier, its epoch,
/// and its slots, which contain the encrypted key of the vault.
///
/// A SHA-256 checksum distinguishes damage from a wrong key before any key is tried. An HMAC then
/// detects forgery.
struct VaultHeader: Sendable {
  static let magic = Data("UNDVLT01".utf8)
  private static let fixedSize = 8 + 4 + 16 + 8 + 2
  private static let maximumSlots = 16

  let id: Data
  /// The number of the file among all files that this vault has had, counted from 1.
  ///
  /// The number grows with every rewrite of the vault. Each record is authenticated
  /// with the number, so that no record of an older file is accepted.
  let epoch: UInt64
  let slots: [VaultSlot]

  init(
    id: Data, epoch: UInt64, slots: [VaultSlot], path: String
  ) throws(StorageError) {
    guard (1...Self.maximumSlots).contains(slots.count) else {
      throw StorageError(
        .misuse,
        """
        cannot write the vault \(quoted(path)) with \(slots.count) key files and passphrases: the \
        number of key files and passphrases in total must be from 1 to \(Self.maximumSlots)
        """,
        suggestion: slots.isEmpty
          ? "pass at least one key file or passphrase"
          : """
          call rekey(to:and:), which replaces all key files and passphrases of the vault, with at \
          most \(Self.maximumSlots) of them
          """)
    }
    self.id = id
    self.epoch = epoch
    self.slots = slots
  }

  var size: Int { Self.fixedSize + slots.count * VaultSlot.size + 64 }

  func encode(_ keys: DerivedVaultKeys) -> Data {
    var writer = ByteWriter()
    writer.put(Self.magic)
    writer.put(UInt32(truncatingIfNeeded: size))
    writer.put(id)
    writer.put(epoch)
    writer.put(UInt16(truncatingIfNeeded: slots.count))
    for slot in slots { slot.encode(into: &writer) }
    writer.put(Data(SHA256.hash(data: writer.bytes)))
    writer.put(Data(HMAC<SHA256>.authenticationCode(for: writer.bytes, using: keys.header)))
    return Data(writer.bytes)
  }

  /// Decodes a header from the beginning of `bytes`.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if the
  ///   format or the checksum of the header is wrong.
  init(decoding bytes: Data, path: String) throws(StorageError) {
    let array = [UInt8](bytes)
    let decoded = array.withUnsafeBytes { buffer -> (Data, UInt64, [VaultSlot])? in
      var reader = ByteReader(buffer)
      guard let magic = reader.take(8), Data(magic) == Self.magic,
        let size = reader.number(UInt32.self), size <= 1 << 16, Int(size) <= buffer.count,
        let id = reader.take(16), let epoch = reader.number(UInt64.self),
        let count = reader.number(UInt16.self), (1...Self.maximumSlots).contains(Int(count)),
        Int(size) == Self.fixedSize + Int(count) * VaultSlot.size + 64,
        SHA256.hash(data: array[..<(Int(size) - 64)])
          == Data(array[(Int(size) - 64)..<(Int(size) - 32)])
      else { return nil }
      var slots: [VaultSlot] = []
      for _ in 0..<count {
        guard let slot = VaultSlot(decoding: &reader) else { return nil }
        slots.append(slot)
      }
      return (Data(id), epoch, slots)
    }
    guard let decoded else { throw Self.damaged(path) }
    (id, epoch, slots) = decoded
  }

  /// Throws ``StorageError/Code/corrupted`` if the HMAC
  /// of the header does not match the keys of the vault.
  func verify(_ bytes: Data, _ keys: DerivedVaultKeys, path: String) throws(StorageError) {
    let header = bytes.prefix(size)
    guard header.count == size,
      HMAC<SHA256>.isValidAuthenticationCode(
        Data(header.suffix(32)), authenticating: Data(header.dropLast(32)), using: keys.header)
    else { throw Self.damaged(path) }
  }

  private static func damaged(_ path: String) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): the header is damaged, or the file is not a vault",
      suggestion: "check the path, or restore the file from a backup; nothing was changed")
  }
}
