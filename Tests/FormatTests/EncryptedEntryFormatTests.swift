import Crypto
import Foundation
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/EncryptedEntry.md`.
///
/// The literals come from an implementation of the format in another language, with the key 00 …
/// 1f.
@Suite struct EncryptedEntryFormatTests {
  private static let key = Data(0..<32)
  private static let token = "sealed-327cfd0a9865c492566c225b32b52c3fece86bda"
  private static let check = Data(
    hex: "65d2bf4a48cf06b495a7b7a8f9f02664ec089041f654c4eea3d33d746f7e7490")

  /// The entry `loan` with the value `Dune`.
  private static let entry = Data(
    hex: """
      01101112131415161718191a1b1c1d1e1f202122232425262728292a2bfe0fd58deeffe9
      4b90f1f4de9b437ff1076b0d4b989d16631c8c4c00
      """)

  @Test
  func `an encrypted store derives the golden key check value and the golden name of an entry`()
    throws
  {
    let memory = MemoryBackend()

    try EncryptedBackend(memory, key: .bytes(Self.key)).apply([.set("loan", Data("Dune".utf8))])

    #expect(try memory.keys(withPrefix: "") == [Self.token, "sealed-check"])
    #expect(try memory.read("sealed-check") == Self.check)
  }

  @Test func `the golden bytes of an encrypted entry are decrypted`() throws {
    let memory = MemoryBackend()
    try memory.apply([.set("sealed-check", Self.check), .set(Self.token, Self.entry)])

    let store = try EncryptedBackend(memory, key: .bytes(Self.key))

    #expect(try store.keys(withPrefix: "") == ["loan"])
    #expect(try store.read("loan") == Data("Dune".utf8))
  }

  @Test func `the steps in the documentation of the encrypted entry format decrypt an entry`()
    throws
  {
    let memory = MemoryBackend()
    try EncryptedBackend(memory, key: .bytes(Self.key)).apply([.set("loan", Data("Dune".utf8))])
    let entry = try #require(try memory.read(Self.token))

    let (salt, box) = (Data(entry[1..<17]), try AES.GCM.SealedBox(combined: Data(entry[17...])))
    let values = derive(SymmetricKey(data: Self.key), Data(), "undercroft encrypted values")
    let plain = try AES.GCM.open(
      box, using: derive(values, salt, "undercroft one entry"),
      authenticating: Data(Self.token.utf8))

    #expect(entry.first == 1)
    #expect(entry.count == 1 + 16 + 12 + 4 + 4 + 4 + 16)
    #expect(plain == Data([4, 0, 0, 0]) + Data("loanDune".utf8))
  }
}

/// Derives a key. (HKDF with SHA-256, RFC 5869)
func derive(_ key: SymmetricKey, _ salt: Data, _ label: String) -> SymmetricKey {
  HKDF<SHA256>.deriveKey(
    inputKeyMaterial: key, salt: salt, info: Data(label.utf8), outputByteCount: 32)
}
