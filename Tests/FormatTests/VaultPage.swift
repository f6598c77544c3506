import Crypto
import Foundation
import Testing

/// A reader of vaults that follows `Docs/Formats/Vault.md` and uses no code of the backend.
struct VaultPage {
  let epoch: Int
  let kinds: [UInt8]
  /// The decrypted bytes of all records, with their zero padding.
  let records: [Data]

  /// Reads a vault whose first slot belongs to a key file.
  init(reading bytes: Data, key: Data) throws {
    let size = bytes.number(8..<12)
    let count = bytes.number(36..<38)
    let (id, slots) = (Data(bytes[12..<28]), bytes[38..<38 + 132 * count])
    #expect(bytes.prefix(8) == Data("UNDVLT01".utf8))
    #expect(size == 38 + 132 * count + 64)
    epoch = bytes.number(28..<36)
    kinds = stride(from: slots.startIndex, to: slots.endIndex, by: 132).map { slots[$0] }

    let vaultKey = try Self.open(Data(slots.prefix(132)), key, of: id)
    let header = derive(vaultKey, Data(), "undercroft vault header")
    let (hash, code) = (bytes[size - 64..<size - 32], Data(bytes[size - 32..<size]))
    #expect(Data(hash) == Data(SHA256.hash(data: bytes[..<(size - 64)])))
    #expect(
      code == Data(HMAC<SHA256>.authenticationCode(for: bytes[..<(size - 32)], using: header)))

    records = try Self.records(
      bytes[size...], derive(vaultKey, Data(), "undercroft vault record"),
      after: id + bytes[28..<36])
  }

  /// Opens the slot of a key file.
  private static func open(_ slot: Data, _ key: Data, of id: Data) throws -> SymmetricKey {
    let salt = Data(slot[8..<40])
    let wrapping = derive(SymmetricKey(data: key), salt, "undercroft vault key file 1")
    let commitment = HMAC<SHA256>.authenticationCode(
      for: Data("undercroft commit".utf8) + salt, using: wrapping)
    #expect(slot.prefix(8) == Data([1, 0, 0, 0, 0, 0, 0, 0]))
    #expect(Data(slot[40..<72]) == Data(commitment))
    let box = try AES.GCM.SealedBox(combined: Data(slot[72..<132]))
    return SymmetricKey(
      data: try AES.GCM.open(box, using: wrapping, authenticating: id + Data([1]) + salt))
  }

  private static func records(
    _ bytes: Data, _ key: SymmetricKey, after place: Data
  ) throws -> [Data] {
    var (rest, tag, records) = (bytes, Data(), [Data]())
    while !rest.isEmpty {
      let size = rest.number(0..<4)
      #expect(rest.number(4..<8) == Int(rest.prefix(4).castagnoli))
      let record = Data(rest.dropFirst(8).prefix(size))
      let number = withUnsafeBytes(of: UInt64(records.count).littleEndian) { Data($0) }
      let box = try AES.GCM.SealedBox(combined: Data(record.dropFirst(16)))
      records.append(
        try AES.GCM.open(
          box, using: derive(key, Data(record.prefix(16)), "undercroft vault one record"),
          authenticating: place + number + tag))
      tag = Data(record.suffix(16))
      rest = rest.dropFirst(8 + size)
    }
    return records
  }
}
