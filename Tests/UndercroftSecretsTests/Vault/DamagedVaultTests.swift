import Crypto
import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSecrets
import UndercroftTesting

@Suite struct DamagedVaultTests {
  private struct Vault {
    let url: URL
    let key: VaultKey
    let bytes: Data
    /// The end offsets of the header and of each record.
    let ends: [Int]

    init(_ directory: URL) throws {
      url = directory.appending(path: "vault")
      key = .keyFile(directory.appending(path: "vault.key"))
      let backend = try VaultBackend(at: url, unlockedBy: key)
      var ends = [try Data(contentsOf: url).count]
      for number in 1...3 {
        try backend.apply([.set("token/\(number)", Data("secret \(number)".utf8))])
        ends.append(try Data(contentsOf: url).count)
      }
      bytes = try Data(contentsOf: url)
      self.ends = ends
    }

    func open(_ bytes: Data) throws -> [String] {
      try bytes.write(to: url)
      chmod(url.path, 0o600)
      return try VaultBackend(at: url, unlockedBy: key).keys(withPrefix: "")
    }

    /// Opens a file with a damaged record, and verifies that the damage is reported and preserved.
    func openDamaged(_ bytes: Data, _ comment: Comment) throws -> (names: [String], offset: Int) {
      try bytes.write(to: url)
      chmod(url.path, 0o600)
      let vault = try VaultBackend(at: url, unlockedBy: key)
      let damage = try #require(vault.damage, comment)
      #expect(damage.offset + damage.unrecoveredByteCount == bytes.count, comment)
      let copy = try #require(damage.preservedPath, comment)
      #expect(try Data(contentsOf: URL(filePath: copy)) == bytes, comment)
      var status = stat()
      #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600, comment)
      try FileManager.default.removeItem(atPath: copy)
      let names = try vault.keys(withPrefix: "")
      let again = try VaultBackend(at: url, unlockedBy: key)
      #expect(try again.keys(withPrefix: "") == names, comment)
      #expect(again.damage == nil, comment)
      return (names, damage.offset)
    }

    func record(_ number: Int) -> Data { bytes[ends[number - 1]..<ends[number]] }
  }

  private static func names(_ count: Int) -> [String] {
    (1...max(1, count)).prefix(count).map { "token/\($0)" }
  }

  @Test(.heavy, .timeLimit(.hangLimit))
  func `a vault header with a flipped bit is refused and left unchanged`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      for bit in 0..<vault.ends[0] * 8 {
        var bytes = vault.bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        let error = #expect(throws: StorageError.self, "bit \(bit)") { try vault.open(bytes) }
        #expect(error?.code == .corrupted, "bit \(bit)")
        if bit % 97 == 0 { #expect(try Data(contentsOf: vault.url) == bytes) }
      }

      #expect(try vault.open(vault.bytes) == Self.names(3))
    }
  }

  @Test(.heavy, .timeLimit(.hangLimit))
  func `a flipped bit in a vault record is reported as damage, and only earlier records remain`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      // One bit of each byte, at a different position each time.
      for byte in vault.ends[0]..<vault.bytes.count {
        var bytes = vault.bytes
        bytes[byte] ^= 1 << UInt8(byte % 8)
        let whole = vault.ends.filter { $0 <= byte }.count - 1
        let (names, offset) = try vault.openDamaged(bytes, "byte \(byte)")
        #expect(names == Self.names(whole), "byte \(byte)")
        #expect(offset == vault.ends[whole], "byte \(byte)")
      }
    }
  }

  @Test func `if a batch of a vault is damaged, all changes of that batch are lost`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      try VaultBackend(at: vault.url, unlockedBy: vault.key).apply([
        .set("added/1", Data("one".utf8)), .set("added/2", Data("two".utf8)),
      ])
      var bytes = try Data(contentsOf: vault.url)
      bytes[bytes.count - 1] ^= 1
      let (names, offset) = try vault.openDamaged(bytes, "the last record")

      #expect(names == Self.names(3))
      #expect(offset == vault.bytes.count)
    }
  }

  @Test
  func `inspecting a damaged store shows intact entries, reports the damage and changes no file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      var bytes = vault.bytes
      bytes[vault.ends[1] + 40] ^= 1
      try bytes.write(to: vault.url)
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      let key = directory.appending(path: "vault.key")

      let found = try StoreInspectorFactory.vault.open(vault.url, .init(keyFile: key))

      #expect(try found.entries(withPrefix: "").map(\.name) == Self.names(1))
      #expect(try found.inspect().facts.contains { $0.name == "damage" })
      #expect(try Data(contentsOf: vault.url) == bytes)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == files)
    }
  }

  @Test(.heavy) func `opening a truncated vault restores all complete batches`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      for count in 0..<vault.bytes.count {
        let bytes = vault.bytes.prefix(count)
        if count < vault.ends[0] {
          let error = #expect(throws: StorageError.self) { try vault.open(bytes) }
          #expect(error?.code == .corrupted, "cut at \(count)")
        } else {
          let whole = vault.ends.filter { $0 <= count }.count - 1
          #expect(try vault.open(bytes) == Self.names(whole), "cut at \(count)")
        }
      }
    }
  }

  @Test func `a vault truncated within a batch contains no change of that batch`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      try VaultBackend(at: vault.url, unlockedBy: vault.key).apply([
        .set("added/1", Data("one".utf8)), .remove("token/2"), .set("token/3", Data("new".utf8)),
      ])
      let bytes = try Data(contentsOf: vault.url)
      for count in vault.bytes.count..<bytes.count {
        #expect(try vault.open(bytes.prefix(count)) == Self.names(3), "cut at \(count)")
        let again = try VaultBackend(at: vault.url, unlockedBy: vault.key)
        #expect(try again.keys(withPrefix: "") == Self.names(3), "cut at \(count)")
        #expect(try again.read("token/3") == Data("secret 3".utf8), "cut at \(count)")
      }

      #expect(try vault.open(bytes) == ["added/1", "token/1", "token/3"])
    }
  }

  @Test
  func
    `opening a vault detects dropped, duplicated and reordered records, and those of another vault`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      let header = vault.bytes.prefix(vault.ends[0])
      let (one, two, three) = (vault.record(1), vault.record(2), vault.record(3))
      let other = try withTemporaryDirectory { try Vault($0) }
      // Each arrangement, and the number of its leading records in their sealed order.
      let arrangements: [([Data], whole: Int)] = [
        ([two, three], 0), ([one, three], 1), ([one, one, two, three], 1), ([two, one, three], 0),
        ([one, three, two], 1), ([three, two, one], 0), ([one, other.record(2), three], 1),
      ]
      for (number, (records, whole)) in arrangements.enumerated() {
        let bytes = records.reduce(Data(header), +)
        let (names, _) = try vault.openDamaged(bytes, "arrangement \(number)")
        #expect(names == Self.names(whole), "arrangement \(number)")
      }
      let foreign = Data(other.bytes.prefix(other.ends[0])) + one

      let error = #expect(throws: StorageError.self) { try vault.open(foreign) }
      #expect(error?.code == .wrongKey)
    }
  }

  @Test
  func `a vault opens with all its secrets if a power failure left zeros after the last record`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      for count in [1, 8, 5_000] {
        #expect(try vault.open(vault.bytes + Data(count: count)) == Self.names(3))
      }
    }
  }

  @Test func `a vault with pages zeroed by a power failure loses only the batch in those pages`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      let backend = try VaultBackend(at: vault.url, unlockedBy: vault.key)
      var sound = vault.bytes
      var number = 0
      // Small records until one crosses the end of a page, then a batch of several large records.
      while sound.count / 4_096 == (sound.count + 300) / 4_096 {
        number += 1
        try backend.apply([.set("loan/\(number)", Data("Dune".utf8))])
        sound = try Data(contentsOf: vault.url)
      }
      let names = try backend.keys(withPrefix: "")
      for batch in [
        [StorageChange.set("loan/last", Data("Emma".utf8))],
        (1...3).map { StorageChange.set("scan/\($0)", Data(repeating: 1, count: 6_000)) },
      ] {
        #expect(try vault.open(sound) == names)
        try VaultBackend(at: vault.url, unlockedBy: vault.key).apply(batch)
        let whole = try Data(contentsOf: vault.url)
        for page in (sound.count + 4_095) / 4_096..<(whole.count + 4_095) / 4_096 {
          var torn = whole
          torn.replaceSubrange((page * 4_096)..., with: Data(count: whole.count - page * 4_096))
          #expect(try vault.open(torn) == names, "blank from page \(page)")
        }
        #expect(try vault.open(whole).count == names.count + batch.count)
      }
    }
  }

  @Test
  func `a vault header that requests excessive key derivation is refused before the derivation`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      _ = try VaultBackend(at: url, unlockedBy: .passphrase("open sesame", logRounds: 4))
      let sound = try Data(contentsOf: url)
      for cost: [UInt8] in [[63, 8, 1], [255, 255, 255], [20, 16, 4], [0, 8, 1], [17, 0, 1]] {
        var bytes = sound
        bytes.replaceSubrange(39..<42, with: cost)
        let end = bytes.count - 64
        bytes.replaceSubrange(end..<end + 32, with: Data(SHA256.hash(data: bytes[..<end])))
        try bytes.write(to: url)
        chmod(url.path, 0o600)
        let begin = workOfThisThread()
        let error = #expect(throws: StorageError.self) {
          try VaultBackend(at: url, unlockedBy: .passphrase("open sesame", logRounds: 4))
        }
        #expect(error?.code == .corrupted, "\(cost)")
        #expect(workOfThisThread() - begin < .seconds(5))
      }
    }
  }

  @Test func `a vault header whose key slots together request excessive key derivation is refused`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: .passphrase("open sesame", logRounds: 4))
      for _ in 1...4 { try vault.add(.passphrase("open sesame", logRounds: 4)) }

      var bytes = try Data(contentsOf: url)
      for slot in 0..<5 {
        let offset = 38 + slot * 132 + 1
        bytes.replaceSubrange(offset..<offset + 3, with: [20, 8, 1])
      }
      let end = bytes.count - 64
      bytes.replaceSubrange(end..<end + 32, with: Data(SHA256.hash(data: bytes[..<end])))
      try bytes.write(to: url)
      chmod(url.path, 0o600)

      let error = #expect(throws: StorageError.self) {
        try VaultBackend(at: url, unlockedBy: .passphrase("open barley", logRounds: 4))
      }
      #expect(error?.code == .corrupted)
    }
  }

  @Test func `a modified vault header with a recomputed plain checksum fails the keyed checksum`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      var bytes = vault.bytes
      // The epoch, which only the keyed checksum protects once the plain checksum is correct.
      bytes[28] ^= 1
      let end = vault.ends[0] - 64
      bytes.replaceSubrange(end..<end + 32, with: Data(SHA256.hash(data: bytes[..<end])))

      let error = #expect(throws: StorageError.self) { try vault.open(bytes) }

      #expect(error?.code == .corrupted)
    }
  }

  @Test(.heavy, .timeLimit(.hangLimit))
  func `opening a randomly damaged vault returns intact batches or fails with the code corrupted`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      var random = SeededGenerator(seed: 11)
      for round in 0..<1_000 {
        var bytes = vault.bytes
        for _ in 0...(round % 6) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if round % 4 == 0 { bytes += Data((0..<round).map { UInt8(truncatingIfNeeded: $0) }) }
        do {
          try bytes.write(to: vault.url)
          chmod(vault.url.path, 0o600)
          let store = try VaultBackend(at: vault.url, unlockedBy: vault.key)
          let names = try store.keys(withPrefix: "")
          #expect(names == Self.names(3) || store.damage != nil && names == Self.names(names.count))
          if let copy = store.damage?.preservedPath {
            try FileManager.default.removeItem(atPath: copy)
          }
        } catch let error as StorageError {
          #expect(error.code == .corrupted)
        }
      }
    }
  }
}
