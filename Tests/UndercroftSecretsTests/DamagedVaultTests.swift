import Crypto
import Foundation
import Testing
import UndercroftCore
import UndercroftSecrets
import UndercroftTesting

@Suite struct DamagedVaultTests {
  private struct Vault {
    let url: URL
    let key: VaultKey
    let bytes: Data
    /// Where each record ends, the header first.
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

    func record(_ number: Int) -> Data { bytes[ends[number - 1]..<ends[number]] }
  }

  private static func names(_ count: Int) -> [String] {
    (1...max(1, count)).prefix(count).map { "token/\($0)" }
  }

  @Test(.timeLimit(.minutes(15)))
  func `every flipped bit is detected, and no byte is changed`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      for bit in 0..<vault.bytes.count * 8 {
        var bytes = vault.bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        let error = #expect(throws: StorageError.self, "bit \(bit)") { try vault.open(bytes) }
        #expect(error?.code == .corrupted, "bit \(bit)")
        if bit % 97 == 0 { #expect(try Data(contentsOf: vault.url) == bytes) }
      }
      #expect(try vault.open(vault.bytes) == Self.names(3))
    }
  }

  @Test func `a vault cut anywhere holds the whole batches before the cut`() throws {
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

  @Test func `a batch cut anywhere leaves nothing of itself`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      try VaultBackend(at: vault.url, unlockedBy: vault.key).apply([
        .set("added/1", Data("one".utf8)), .remove("token/2"), .set("token/3", Data("new".utf8)),
      ])
      let bytes = try Data(contentsOf: vault.url)
      for count in vault.bytes.count..<bytes.count {
        #expect(try vault.open(bytes.prefix(count)) == Self.names(3), "cut at \(count)")
        #expect(try Data(contentsOf: vault.url) == vault.bytes, "cut at \(count)")
      }
      #expect(try vault.open(bytes) == ["added/1", "token/1", "token/3"])
    }
  }

  @Test func `records that were dropped, doubled, swapped or taken from elsewhere are detected`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      let header = vault.bytes.prefix(vault.ends[0])
      let (one, two, three) = (vault.record(1), vault.record(2), vault.record(3))
      let other = try withTemporaryDirectory { try Vault($0) }
      let arrangements: [[Data]] = [
        [two, three], [one, three], [one, one, two, three], [two, one, three], [one, three, two],
        [three, two, one], [one, other.record(2), three],
      ]
      var forgeries = arrangements.map { $0.reduce(Data(header), +) }
      forgeries.append(Data(other.bytes.prefix(other.ends[0])) + one)
      for bytes in forgeries {
        let error = #expect(throws: StorageError.self) { try vault.open(bytes) }
        #expect(error?.code == .corrupted || error?.code == .wrongKey)
      }
    }
  }

  @Test func `zeros after the last record, as a power cut leaves them, are removed`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      for count in [1, 8, 5_000] {
        #expect(try vault.open(vault.bytes + Data(count: count)) == Self.names(3))
      }
    }
  }

  @Test func `pages left blank by a power cut cost the batch that reaches into them`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      let backend = try VaultBackend(at: vault.url, unlockedBy: vault.key)
      var sound = vault.bytes
      var number = 0
      // Small records until one stands across the end of a page, then a batch of several large ones.
      while sound.count / 4_096 == (sound.count + 300) / 4_096 {
        number += 1
        try backend.apply([.set("loan/\(number)", Data("Dune".utf8))])
        sound = try Data(contentsOf: vault.url)
      }
      let names = try backend.keys(withPrefix: "")
      for batch in [
        [Change.set("loan/last", Data("Emma".utf8))],
        (1...3).map { Change.set("scan/\($0)", Data(repeating: 1, count: 6_000)) },
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

  @Test func `a header that asks for a ruinous amount of work is refused at once`() throws {
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

  @Test func `slots that ask for a ruinous amount of work together are refused at once`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: .passphrase("open sesame", logRounds: 4))
      for _ in 1...4 { try vault.add(.passphrase("open sesame", logRounds: 4)) }
      var bytes = try Data(contentsOf: url)
      for slot in 0..<5 {
        let place = 38 + slot * 132 + 1
        bytes.replaceSubrange(place..<place + 3, with: [20, 8, 1])
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

  @Test func `a header whose parts were exchanged with a right checksum is detected by the key`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Vault(directory)
      var bytes = vault.bytes
      // The epoch, which nothing but the keyed checksum protects once the plain one is right.
      bytes[28] ^= 1
      let end = vault.ends[0] - 64
      bytes.replaceSubrange(end..<end + 32, with: Data(SHA256.hash(data: bytes[..<end])))
      let error = #expect(throws: StorageError.self) { try vault.open(bytes) }
      #expect(error?.code == .corrupted)
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `a thousand files of random bytes never crash`() throws {
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
          let names = try vault.open(bytes)
          #expect(names == Self.names(3))
        } catch let error as StorageError {
          #expect(error.code == .corrupted)
        }
      }
    }
  }
}
