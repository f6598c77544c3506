import Testing
import UndercroftSync

@Suite struct SHA256DigestTests {
  /// The arguments are the messages that NIST published for SHA-256, and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `the digest of a test message equals the digest that NIST published`(
    message: String, digits: String
  ) {
    #expect(SHA256Digest(of: [UInt8](message.utf8)).digits == digits)
  }

  @Test func `the digest of a million letters equals the digest that NIST published`() {
    let digest = SHA256Digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))

    #expect(
      digest.digits == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `a digest is read from 64 lowercase hexadecimal digits, and other text is rejected`() {
    let digest = SHA256Digest(of: [1])

    #expect(SHA256Digest(digits: digest.digits) == digest)
    #expect(SHA256Digest(digits: String(digest.digits.dropLast())) == nil)
    #expect(SHA256Digest(digits: digest.digits + "0") == nil)
    #expect(SHA256Digest(digits: String(repeating: "A", count: 64)) == nil)
    #expect(SHA256Digest(digits: String(repeating: "g", count: 64)) == nil)
    #expect(SHA256Digest(digits: "") == nil)
  }
}
