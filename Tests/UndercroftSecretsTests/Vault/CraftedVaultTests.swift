import Crypto
import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftSecrets

/// Tests of vaults that an attacker with the key has crafted, and of vaults of enormous size.
@Suite struct CraftedVaultTests {
  private static let claimed = 64 << 30

  private static func make(in directory: URL) throws -> (url: URL, key: URL) {
    let (url, key) = (directory.appending(path: "vault"), directory.appending(path: "vault.key"))
    _ = try VaultBackend(at: url, unlockedBy: .keyFile(key))
    return (url, key)
  }

  private static func derive(_ key: SymmetricKey, _ salt: Data, _ label: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Data(label.utf8), outputByteCount: 32)
  }

  /// Sets the epoch of an empty vault, and recomputes its checksums.
  private static func setEpoch(_ epoch: UInt64, of url: URL, _ key: URL) throws {
    var bytes = try Data(contentsOf: url)
    let (id, slot) = (Data(bytes[12..<28]), Data(bytes[38..<170]))
    let salt = Data(slot[8..<40])
    let wrapping = derive(
      SymmetricKey(data: try Data(contentsOf: key)), salt, "undercroft vault key file 1")
    let own = try AES.GCM.open(
      AES.GCM.SealedBox(combined: Data(slot[72..<132])), using: wrapping,
      authenticating: id + Data([1]) + salt)
    bytes.replaceSubrange(28..<36, with: withUnsafeBytes(of: epoch.littleEndian) { Data($0) })
    bytes.replaceSubrange(170..<202, with: Data(SHA256.hash(data: bytes[..<170])))
    let header = derive(SymmetricKey(data: own), Data(), "undercroft vault header")
    bytes.replaceSubrange(
      202..<234, with: Data(HMAC<SHA256>.authenticationCode(for: bytes[..<202], using: header)))
    try bytes.write(to: url)
    #expect(chmod(url.path, 0o600) == 0)
  }

  @Test
  func `a vault whose epoch counter is at its maximum can be read and written, but not rekeyed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, key) = try Self.make(in: directory)
      try Self.setEpoch(.max, of: url, key)
      let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))

      try vault.apply([.set("token", Data("abc".utf8)), .set("card", Data("4111".utf8))])
      // The old value cannot be erased, which is reported.
      try vault.apply([.remove("card")])
      let error = #expect(throws: StorageError.self) {
        try vault.rekey(to: .passphrase("open", logRounds: 4))
      }

      #expect(error?.code == .corrupted)
      let again = try VaultBackend(at: url, unlockedBy: .keyFile(key))
      #expect(try again.keys(withPrefix: "") == ["token"])
      #expect(try again.read("token") == Data("abc".utf8))
    }
  }

  @Test func `opening a vault that ends in 64 GiB of zeros removes the zeros and loses no value`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, key) = try Self.make(in: directory)
      try VaultBackend(at: url, unlockedBy: .keyFile(key)).apply([.set("token", Data("a".utf8))])
      #expect(truncate(url.path, off_t(Self.claimed)) == 0)

      let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))

      #expect(vault.damage == nil)
      #expect(try vault.read("token") == Data("a".utf8))
      #expect(try Data(contentsOf: url).count < 2_000)
    }
  }

  @Test(arguments: [nil, 50, 256 << 20] as [UInt32?])
  func `a vault with a hole of 64 GiB is recovered up to the hole`(record: UInt32?) throws {
    try withTemporaryDirectory { directory in
      let (url, key) = try Self.make(in: directory)
      try VaultBackend(at: url, unlockedBy: .keyFile(key)).apply([.set("token", Data("a".utf8))])
      let end = try Data(contentsOf: url).count
      do {
        let file = try Descriptor(opening: url.path, O_RDWR)
        var header = ByteWriter()
        if let record {
          header.put(record)
          header.put(Checksum.of(header.bytes))
        }
        try header.bytes.withUnsafeBytes { try file.write($0, at: end) }
        try [UInt8(1)].withUnsafeBytes { try file.write($0, at: Self.claimed - 1) }
      }

      let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))

      #expect(vault.damage?.offset == end)
      #expect(vault.damage?.unrecoveredByteCount == Self.claimed - end)
      #expect(try vault.read("token") == Data("a".utf8))
    }
  }

  /// The start of the second record, counted back from the end of the window.
  @Test(.heavy, arguments: [0, 1, 7, 8, 9, 60])
  func `a vault batch that begins near the end of a read buffer is read completely`(left: Int)
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, key) = try Self.make(in: directory)
      let values = ["card": Data("4111".utf8), "token": Data("abc".utf8)]
      let size: (Int) throws -> Int = { count in
        let probe = directory.appending(path: "probe-\(count)")
        let vault = try VaultBackend(at: probe, unlockedBy: .keyFile(key))
        let before = try Data(contentsOf: probe).count
        try vault.apply([.set("scan", Data(repeating: 7, count: count))])
        return try Data(contentsOf: probe).count - before
      }
      let large = Data(
        repeating: 7, count: FileWindow.capacity - left - (try size(100_000) - 100_000))
      do {
        let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))
        try vault.apply(
          [.set("scan", large)] + values.sorted { $0.key < $1.key }.map { .set($0.key, $0.value) })
      }

      let bytes = try Data(contentsOf: url)
      #expect(bytes.count > FileWindow.capacity)

      for cut in [0, 1, bytes.count - FileWindow.capacity] {
        try bytes.dropLast(cut).write(to: url)
        #expect(chmod(url.path, 0o600) == 0)
        let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))
        #expect(vault.damage == nil)
        #expect(try vault.read("scan") == (cut == 0 ? large : nil))
        #expect(try vault.read("card") == (cut == 0 ? values["card"] : nil))
        #expect(try vault.read("token") == (cut == 0 ? values["token"] : nil))
      }
    }
  }

  @Test func `vault records larger than the read buffer are read completely`() throws {
    try withTemporaryDirectory { directory in
      let (url, key) = try Self.make(in: directory)
      let values = [100, 17 << 20, 7].map { Data(repeating: 7, count: $0) }
      do {
        let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))
        try vault.apply(values.enumerated().map { .set("scan/\($0.offset)", $0.element) })
      }

      let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))

      #expect(vault.damage == nil)
      for (number, value) in values.enumerated() {
        #expect(try vault.read("scan/\(number)") == value)
      }
    }
  }

  /// The file that an instance finds after a kill between a failed flush and the truncation.
  @Test(.enabled(if: faults_are_available() != 0))
  func `a batch whose writer was killed after a failed flush is stored completely or not at all`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, key) = try Self.make(in: directory)
      let vault = try VaultBackend(at: url, unlockedBy: .keyFile(key))
      try vault.apply([.set("token", Data("abc".utf8))])
      let before = try Data(contentsOf: url).count
      final class Copy {
        let url: URL
        var bytes: Data?
        init(_ url: URL) { self.url = url }
      }
      let copy = Copy(url)
      faults_before_sync(
        { context in
          guard let context else { return }
          let copy = Unmanaged<Copy>.fromOpaque(context).takeUnretainedValue()
          copy.bytes = try? Data(contentsOf: copy.url)
        }, Unmanaged.passUnretained(copy).toOpaque())

      faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)
      #expect(throws: StorageError.self) {
        try vault.apply([.set("card", Data("4111".utf8)), .set("pin", Data("1234".utf8))])
      }
      _ = faults_disarm()

      let bytes = try #require(withExtendedLifetime(copy) { copy.bytes })
      #expect(bytes.count > before)
      for count in [before, before + 1, (before + bytes.count) / 2, bytes.count - 1, bytes.count] {
        try bytes.prefix(count).write(to: url)
        #expect(chmod(url.path, 0o600) == 0)

        let opened = try VaultBackend(at: url, unlockedBy: .keyFile(key))

        let isWhole = count == bytes.count
        #expect(
          try opened.keys(withPrefix: "") == (isWhole ? ["card", "pin", "token"] : ["token"]))
        #expect(opened.damage == nil)
      }
    }
  }
}
