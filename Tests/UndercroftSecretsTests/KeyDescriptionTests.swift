import Foundation
import Testing
import UndercroftSecrets

@Suite struct KeyDescriptionTests {
  @Test func `the description of a key shows neither the passphrase nor the bytes of the key`() {
    let bytes = Data("0123456789abcdef0123456789abcdef".utf8)
    let keys: [Any] = [
      VaultKey.passphrase("open sesame"), EncryptionKey.bytes(bytes),
      Optional(VaultKey.passphrase("open sesame")) as Any,
    ]
    var text = "\(keys)"

    for key in keys {
      text += String(describing: key) + String(reflecting: key)
      dump(key, to: &text)
    }

    #expect(!text.contains("sesame"))
    #expect(!text.contains("0123"))
    #expect(!text.contains("48, 49, 50"))
    #expect(text.contains("VaultKey.passphrase") && text.contains("EncryptionKey.bytes"))
  }
}
