import Foundation
import Testing
import UndercroftCore
import UndercroftSync
import UndercroftSyncEncryption

@Suite struct SyncEncryptionTests {
  private static let place = SyncValuePlace(
    scope: "town", table: "book", dataIdentifier: "b1", column: "title")
  private let encryption: SyncEncryption

  init() throws { encryption = try SyncEncryption([.of(1)]) }

  // MARK: The format

  @Test func `encrypting a value produces the bytes that earlier versions produced`() throws {
    let value = try encryption.encrypt(Data("\"Dune\"".utf8), at: Self.place)

    #expect(value.keyNumber == 1)
    #expect(value.bytes.base64EncodedString() == Self.golden)
  }

  @Test func `decrypting bytes that an earlier version encrypted produces the original value`()
    throws
  {
    let value = EncryptedValue(
      keyNumber: 1, bytes: try #require(Data(base64Encoded: Self.golden)))

    #expect(try encryption.decrypt(value, at: Self.place) == Data("\"Dune\"".utf8))
  }

  private static let golden = "HG2+dFhl4awwTX1P2HWM3wsIgiW4op0tsE0TT+zG0dTs1A=="

  @Test func `an encrypted value has 28 bytes more than its plain form`() throws {
    for count in [0, 1, 1000] {
      let value = try encryption.encrypt(Data(repeating: 7, count: count), at: Self.place)

      #expect(value.bytes.count == count + 28)
      #expect(try encryption.decrypt(value, at: Self.place).count == count)
    }
  }

  // MARK: Equality

  @Test func `equal values of one row and column are encrypted to equal bytes on every device`()
    throws
  {
    let copy = try SyncEncryption([.of(1)])

    let values = try [encryption, encryption, copy].map {
      try $0.encrypt(Data("1".utf8), at: Self.place)
    }

    #expect(Set(values).count == 1)
  }

  @Test
  func `values that differ in content, row, column or key are encrypted with different nonces`()
    throws
  {
    var places = [Self.place, Self.place, Self.place, Self.place, Self.place]
    places[1].scope = "village"
    places[2].table = "film"
    places[3].dataIdentifier = "b2"
    places[4].column = "note"

    var nonces: Set<Data> = []
    for (place, plain) in places.map({ ($0, "1") }) + [(Self.place, "2")] {
      let value = try encryption.encrypt(Data(plain.utf8), at: place)
      nonces.insert(value.bytes.prefix(12))
    }
    try encryption.add(.of(1, number: 2))
    nonces.insert(try encryption.encrypt(Data("1".utf8), at: Self.place).bytes.prefix(12))

    #expect(nonces.count == 7)
  }

  // MARK: Attacks

  @Test
  func `decrypting a value that was moved to another row or column fails with the code corrupted`()
    throws
  {
    let value = try encryption.encrypt(Data("1".utf8), at: Self.place)
    var places = [Self.place, Self.place, Self.place, Self.place, Self.place]
    places[0].scope = "village"
    places[1].table = "film"
    places[2].dataIdentifier = "b2"
    places[3].column = "note"
    // The lengths of the parts count, not only their concatenation.
    places[4].table = "bookb"
    places[4].dataIdentifier = "1"

    for place in places {
      let error = #expect(throws: StorageError.self) { try encryption.decrypt(value, at: place) }
      #expect(error?.code == .corrupted)
    }
  }

  @Test func `decrypting a value with any changed, missing or additional byte throws an error`()
    throws
  {
    let value = try encryption.encrypt(Data("\"Dune\"".utf8), at: Self.place)
    var forgeries = value.bytes.indices.map { index in
      var bytes = value.bytes
      bytes[index] ^= 1
      return bytes
    }
    forgeries += (0..<value.bytes.count).map { value.bytes.prefix($0) }
    forgeries.append(value.bytes + [0])

    for bytes in forgeries {
      #expect(throws: StorageError.self) {
        try encryption.decrypt(EncryptedValue(keyNumber: 1, bytes: bytes), at: Self.place)
      }
    }
  }

  @Test func `decrypting a value whose key number was changed fails with the code corrupted`()
    throws
  {
    let rotated = try SyncEncryption([.of(1), .of(1, number: 2)])
    let value = try encryption.encrypt(Data("1".utf8), at: Self.place)

    let error = #expect(throws: StorageError.self) {
      try rotated.decrypt(EncryptedValue(keyNumber: 2, bytes: value.bytes), at: Self.place)
    }

    #expect(error?.code == .corrupted)
  }

  // MARK: Keys

  @Test
  func `decrypting with a different key that has the same number fails with the code corrupted`()
    throws
  {
    let value = try encryption.encrypt(Data("1".utf8), at: Self.place)
    let other = try SyncEncryption([.of(2)])

    let error = #expect(throws: StorageError.self) { try other.decrypt(value, at: Self.place) }

    #expect(error?.code == .corrupted)
    #expect(
      error?.failure == """
        cannot decrypt the column "title" of the row "b1" of the table "book": the encrypted value \
        was changed, was copied from another place, such as another row, or was encrypted with \
        another key that also has the number 1
        """)
  }

  @Test func `decrypting a value of an unknown key throws an error that names the key's number`()
    throws
  {
    let value = EncryptedValue(keyNumber: 7, bytes: Data(count: 40))

    let error = #expect(throws: StorageError.self) { try encryption.decrypt(value, at: Self.place) }

    #expect(error?.code == .wrongKey)
    #expect(
      error?.failure
        == "cannot decrypt the column \"title\" of the row \"b1\" of the table \"book\": "
        + "the encryption key 7 is not available")
  }

  @Test
  func `encrypt uses the key with the greatest number, and decrypt also uses the other keys`()
    throws
  {
    let old = try encryption.encrypt(Data("1".utf8), at: Self.place)

    try encryption.add(.of(3, number: 3))
    try encryption.add(.of(2, number: 2))
    let new = try encryption.encrypt(Data("2".utf8), at: Self.place)

    #expect(encryption.keyNumbers == [1, 2, 3])
    #expect(new.keyNumber == 3)
    #expect(try encryption.decrypt(old, at: Self.place) == Data("1".utf8))
    #expect(try encryption.decrypt(new, at: Self.place) == Data("2".utf8))
  }

  @Test
  func `adding a different encryption key under a number that is already in use throws misuse`()
    throws
  {
    try encryption.add(.of(1))

    let error = #expect(throws: StorageError.self) { try encryption.add(.of(2)) }

    #expect(error?.code == .misuse)
    #expect(encryption.keyNumbers == [1])
  }

  @Test
  func `creating an encryption key with fewer than 32 bytes or with the key number 0 throws`() {
    #expect(throws: StorageError.self) { try SyncEncryptionKey(number: 1, bytes: Data(count: 31)) }
    #expect(throws: StorageError.self) { try SyncEncryptionKey(number: 0, bytes: Data(count: 32)) }
    #expect(SyncEncryptionKey.random(number: 1) != .random(number: 1))
  }

  @Test func `the descriptions of an encryption key do not contain the bytes of the key`() throws {
    let key = try SyncEncryptionKey.of(0xAB)
    var dumped = ""

    dump(key, to: &dumped)

    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(text.contains("encryption key 1"))
      #expect(!text.lowercased().contains("ab") && !text.contains("171"))
    }
  }

  @Test func `all columns are encrypted except those that are listed in plainColumns`() throws {
    let partly = try SyncEncryption([.of(1)], plainColumns: ["book": ["isbn"]])

    #expect(partly.encrypts("title", of: "book"))
    #expect(!partly.encrypts("isbn", of: "book"))
    #expect(partly.encrypts("isbn", of: "film"))
  }
}
