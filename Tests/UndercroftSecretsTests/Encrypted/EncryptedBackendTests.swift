import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSecrets
import UndercroftTesting

@Suite struct EncryptedBackendTests {
  private static let key = EncryptionKey.bytes(Data((0..<32).map { UInt8($0) }))

  @Test(arguments: BackendConformance.checks)
  func `an encrypted in-memory backend conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { _ in try EncryptedBackend(MemoryBackend(), key: Self.key) })
  }

  @Test(.heavy, arguments: BackendConformance.checks)
  func `an encrypted file backend conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { directory in
        try EncryptedBackend(
          FileBackend(in: directory.appending(path: "sealed")),
          key: .keyFile(directory.appending(path: "sealed.key")))
      })
  }

  @Test(.heavy, arguments: BackendConformance.checks)
  func `an encrypted journalled backend conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { directory in
        try EncryptedBackend(
          JournalledBackend(at: directory.appending(path: "settings")), key: Self.key)
      })
  }

  @Test
  func `a plain file backend is refused for secrets unless encrypted(with:) wraps the backend`()
    throws
  {
    try withTemporaryDirectory { directory in
      var storage = Storage()
      let files = BackendChoice.files(in: directory)
      let error = #expect(throws: StorageError.self) { try storage.use(files, for: .secret) }
      #expect(error?.code == .notSupported)

      try storage.use(files.encrypted(with: Self.key), for: .secret)
      let token = StorageKey<String?>("token", kind: .secret)
      try storage.save("abc", for: token)
      #expect(try storage.load(token) == "abc")
    }
  }

  @Test func `opening an encrypted store with another key fails with the code wrongKey`() throws {
    let memory = MemoryBackend()
    try EncryptedBackend(memory, key: Self.key).apply([.set("token", Data("abc".utf8))])

    let error = #expect(throws: StorageError.self) {
      try EncryptedBackend(memory, key: .bytes(Data(count: 32)))
    }

    #expect(error?.code == .wrongKey)
    #expect(try EncryptedBackend(memory, key: Self.key).read("token") == Data("abc".utf8))
  }

  @Test
  func `errors of an encrypted store contain the plain names of values, not the encrypted names`()
    throws
  {
    let faulty = FaultyBackend(MemoryBackend(), .apply(2), .apply(3))
    let sealed = try EncryptedBackend(faulty, key: Self.key)
    let changes: [StorageChange] = [.set("reader", Data("Ada".utf8)), .remove("loan")]

    let error = #expect(throws: StorageError.self) { try sealed.apply(changes) }
    #expect(error?.key.map { ["reader", "loan"].contains($0) } ?? true)
    #expect(error.map { !$0.description.contains("sealed-") } ?? false)
    try sealed.apply([])
  }

  @Test func `an encryption key of fewer than 32 bytes is refused`() throws {
    let error = #expect(throws: StorageError.self) {
      try EncryptedBackend(MemoryBackend(), key: .bytes(Data(count: 16)))
    }
    #expect(error?.code == .misuse)
  }

  @Test
  func `opening a store of unencrypted values as an encrypted store throws and changes nothing`()
    throws
  {
    let memory = MemoryBackend()
    try memory.apply([.set("loan", Data("Dune".utf8))])

    let error = #expect(throws: StorageError.self) { try EncryptedBackend(memory, key: Self.key) }

    #expect(error?.code == .misuse)
    #expect(try memory.keys(withPrefix: "") == ["loan"])
  }

  @Test
  func `opening a store whose key file is missing fails with the code locked and creates no file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let key = directory.appending(path: "sealed.key")
      let memory = MemoryBackend()
      try EncryptedBackend(memory, key: .keyFile(key)).apply([.set("token", Data("abc".utf8))])
      try FileManager.default.removeItem(at: key)

      let error = #expect(throws: StorageError.self) {
        try EncryptedBackend(memory, key: .keyFile(key))
      }

      #expect(error?.code == .locked)
      #expect(!FileManager.default.fileExists(atPath: key.path))
    }
  }

  @Test func `an encrypted store without the entry that verifies the key is reported as corrupted`()
    throws
  {
    let memory = MemoryBackend()
    try EncryptedBackend(memory, key: Self.key).apply([.set("token", Data("abc".utf8))])
    try memory.apply([.remove("sealed-check")])

    let error = #expect(throws: StorageError.self) { try EncryptedBackend(memory, key: Self.key) }

    #expect(error?.code == .corrupted)
  }

  @Test
  func `damage to the entry that verifies the key is reported as corruption, not as a wrong key`()
    throws
  {
    let memory = MemoryBackend()
    try EncryptedBackend(memory, key: Self.key).apply([.set("token", Data("abc".utf8))])
    for bytes in [Data(), Data(count: 32)] {
      try memory.apply([.set("sealed-check", bytes)])
      let error = #expect(throws: StorageError.self) { try EncryptedBackend(memory, key: Self.key) }
      #expect(error?.code == .corrupted)
    }
  }

  @Test
  func `a value that is truncated, has a flipped bit or has another value's bytes is rejected`()
    throws
  {
    let memory = MemoryBackend()
    let sealed = try EncryptedBackend(memory, key: Self.key)
    try sealed.apply([.set("token", Data("abc".utf8)), .set("other", Data("def".utf8))])
    let tokens = try memory.keys(withPrefix: "sealed-").filter { $0 != "sealed-check" }
    #expect(tokens.count == 2)

    let values = try tokens.map { try #require(try memory.read($0)) }
    for bit in 0..<values[0].count * 8 {
      var bytes = values[0]
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try memory.apply([.set(tokens[0], bytes)])
      let error = #expect(throws: StorageError.self) { try sealed.keys(withPrefix: "") }
      #expect(error?.code == .corrupted)
    }
    for count in 0..<values[0].count {
      try memory.apply([.set(tokens[0], values[0].prefix(count))])
      #expect(throws: StorageError.self) { try sealed.keys(withPrefix: "") }
    }
    try memory.apply([.set(tokens[0], values[1])])

    #expect(throws: StorageError.self) { try sealed.keys(withPrefix: "") }
  }
}
