import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection
import UndercroftSecrets

/// Tests that removed or replaced secrets, and keys, leave no traces on the disk.
@Suite struct VaultErasureTests {
  private struct VaultFixture {
    let vault: URL
    let key: URL

    init(_ directory: URL) {
      vault = directory.appending(path: "vault")
      key = directory.appending(path: "keys/vault.key")
    }

    func open() throws -> VaultBackend { try VaultBackend(at: vault, unlockedBy: .keyFile(key)) }

    /// Returns every value of `name` that can be decrypted from the file cut after any byte.
    func values(of name: String) throws -> Set<Data> {
      let bytes = try Data(contentsOf: vault)
      let copy = vault.deletingLastPathComponent().appending(path: "copy")
      defer { try? FileManager.default.removeItem(at: copy) }
      var values: Set<Data> = []
      for count in 0...bytes.count {
        try bytes.prefix(count).write(to: copy)
        chmod(copy.path, 0o600)
        let found = try? StoreInspectorFactory.vault.open(copy, .init(keyFile: key)).bytes(of: name)
        if let found { values.insert(found) }
      }
      return values
    }
  }

  @Test(.heavy) func `a removed or replaced secret cannot be read from the vault file`() throws {
    try withTemporaryDirectory { directory in
      let fixture = VaultFixture(directory)
      let vault = try fixture.open()
      try vault.apply([.set("token", Data("hunter2".utf8)), .set("card", Data("4111".utf8))])
      #expect(try fixture.values(of: "token") == [Data("hunter2".utf8)])

      try vault.apply([.set("token", Data("hunter3".utf8))])
      #expect(try fixture.values(of: "token") == [Data("hunter3".utf8)])

      try vault.apply([.remove("token"), .remove("absent")])
      #expect(try fixture.values(of: "token") == [])
      #expect(try fixture.open().read("card") == Data("4111".utf8))
    }
  }

  @Test(.heavy)
  func `a removed secret that a killed writer left in the file is erased when the vault is opened`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = VaultFixture(directory)
      try fixture.open().apply([.set("token", Data("hunter2".utf8))])
      let sound = try Data(contentsOf: fixture.vault)
      // The file between the removal and the rewriting.
      let lock = try FileHandle(forReadingFrom: fixture.vault)
      defer { try? lock.close() }
      try fixture.open().apply([.remove("token")])
      try lock.seek(toOffset: 0)
      let removed = try #require(try lock.readToEnd())

      #expect(removed.count > sound.count)
      try removed.write(to: fixture.vault)
      #expect(try fixture.values(of: "token") == [Data("hunter2".utf8)])

      _ = try fixture.open()

      #expect(try fixture.values(of: "token") == [])
    }
  }

  @Test func `overwritten secrets occupy at most a quarter of a large vault file`() throws {
    try withTemporaryDirectory { directory in
      let fixture = VaultFixture(directory)
      let vault = try fixture.open()
      for number in 0..<60 { try vault.apply([.set("scan/\(number)", Data(count: 4_000))]) }

      let live = try Data(contentsOf: fixture.vault).count
      #expect(live > 200_000)
      for round in 0..<120 {
        try vault.apply([.set("scan/\(round % 60)", Data(repeating: UInt8(round), count: 4_000))])
        let size = try Data(contentsOf: fixture.vault).count
        #expect(size * 3 <= live * 4 + 3 * 8_192, "round \(round)")
      }
      #expect(try fixture.open().read("scan/59") == Data(repeating: 119, count: 4_000))
    }
  }

  @Test(arguments: ["vault", "encrypted"])
  func `a second copy of the key left by a killed process is removed when the vault is opened`(
    kind: String
  ) throws {
    try withTemporaryDirectory { directory in
      let fixture = VaultFixture(directory)
      let open = { () throws -> any StorageBackend in
        if kind == "vault" { return try fixture.open() }
        return try EncryptedBackend(MemoryBackend(), key: .keyFile(fixture.key))
      }
      _ = try open()
      let folder = fixture.key.deletingLastPathComponent()
      let copy = folder.appending(path: ".undercroft-1f2e3d4c5b6a7988.tmp")
      #expect(link(fixture.key.path, copy.path) == 0)
      let foreign = folder.appending(path: ".other.tmp")
      try Data().write(to: foreign)

      _ = try open()

      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == [".other.tmp", "vault.key"])
    }
  }

  @Test(arguments: [3, 600, 8_000])
  func `a write after a torn batch replaces the vault file instead of overwriting the batch`(
    count: Int
  )
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = VaultFixture(directory)
      let whole: Int
      do {
        let vault = try fixture.open()
        try vault.apply([.set("token", Data("hunter2".utf8))])
        whole = try Data(contentsOf: fixture.vault).count
        try vault.apply([.set("scan", Data(repeating: 1, count: 9_000))])
      }
      let torn = try Data(contentsOf: fixture.vault).prefix(whole + count)
      try torn.write(to: fixture.vault)
      let old = try FileHandle(forReadingFrom: fixture.vault)
      defer { try? old.close() }

      try fixture.open().apply([.set("card", Data("4111".utf8))])

      try old.seek(toOffset: 0)
      #expect(try old.readToEnd() == torn)
      let vault = try fixture.open()
      #expect(try vault.keys(withPrefix: "") == ["card", "token"])
    }
  }

  @Test
  func
    `if the end of a vault is zeroed from a sector boundary on, only the zeroed batches are lost`()
    throws
  {
    try withTemporaryDirectory { directory in
      let fixture = VaultFixture(directory)
      var ends: [Int] = []
      do {
        let vault = try fixture.open()
        ends.append(try Data(contentsOf: fixture.vault).count)
        for number in 1...12 {
          try vault.apply([.set("token/\(number)", Data(repeating: 1, count: number * 90))])
          ends.append(try Data(contentsOf: fixture.vault).count)
        }
      }
      let whole = try Data(contentsOf: fixture.vault)
      for start in stride(from: 512, to: whole.count, by: 512) where start > ends[0] {
        try (whole.prefix(start) + Data(count: whole.count - start)).write(to: fixture.vault)

        let names = try fixture.open().keys(withPrefix: "")

        #expect(names.count == ends.filter { $0 <= start }.count - 1, "zeros from byte \(start)")
      }

      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!files.contains { $0.contains("damaged") })
    }
  }

  @Test func `a vault of format version 1 can be opened with each of its keys, and written`() throws
  {
    try withTemporaryDirectory { directory in
      let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")
      let (url, key) = (directory.appending(path: "vault"), directory.appending(path: "vault.key"))
      try FileManager.default.copyItem(at: fixtures.appending(path: "vault-1"), to: url)
      try FileManager.default.copyItem(at: fixtures.appending(path: "vault-1.key"), to: key)
      chmod(url.path, 0o600)
      chmod(key.path, 0o600)
      for source in [VaultKey.keyFile(key), .passphrase("open sesame", logRounds: 4)] {
        let vault = try VaultBackend(at: url, unlockedBy: source)
        #expect(try vault.keys(withPrefix: "") == ["empty", "token/1", "ü/card"])
        #expect(try vault.read("token/1") == Data("replaced".utf8))
        #expect(try vault.read("empty") == Data())
        #expect(try vault.read("ü/card") == Data(repeating: 7, count: 700))
        try vault.apply([.set("later", Data("4111".utf8))])
        try vault.apply([.remove("later")])
      }
    }
  }
}
