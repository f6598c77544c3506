import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection
import UndercroftSecrets
import UndercroftTesting

@Suite struct VaultBackendTests {
  private static func place(_ directory: URL) -> (vault: URL, key: URL) {
    (directory.appending(path: "vault"), directory.appending(path: "keys/vault.key"))
  }

  private static func open(_ directory: URL) throws(StorageError) -> VaultBackend {
    let (vault, key) = place(directory)
    return try VaultBackend(at: vault, unlockedBy: .keyFile(key))
  }

  @Test(.heavy, arguments: BackendConformance.checks)
  func `a vault with a key file conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    let harness = Harness(inspector: .vault) { try Self.open($0) }
      .credentials { InspectionCredentials(keyFile: Self.place($0).key) }
    try await check.run(against: harness)
  }

  @Test(.heavy, arguments: BackendConformance.checks)
  func `a vault with a passphrase conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    let harness = Harness(inspector: .vault) {
      try VaultBackend(
        at: Self.place($0).vault, unlockedBy: .passphrase("open sesame", logRounds: 4))
    }.credentials { _ in InspectionCredentials(passphrase: { "open sesame" }) }
    try await check.run(against: harness)
  }

  @Test
  func `the errors for a wrong passphrase, a missing key file and a damaged file are different`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (vault, key) = Self.place(directory)
      _ = try VaultBackend(at: vault, unlockedBy: .passphrase("open sesame", logRounds: 4))
      let wrong = #expect(throws: StorageError.self) {
        try VaultBackend(at: vault, unlockedBy: .passphrase("open barley", logRounds: 4))
      }
      #expect(wrong?.code == .wrongKey)
      #expect(wrong?.message.contains("barley") == false)

      // An existing vault does not create a key file that cannot open it.
      let missing = #expect(throws: StorageError.self) {
        try VaultBackend(at: vault, unlockedBy: .keyFile(key))
      }
      #expect(missing?.code == .wrongKey)
      #expect(!FileManager.default.fileExists(atPath: key.path))

      try Data("not a vault at all".utf8).write(to: vault)
      let damaged = #expect(throws: StorageError.self) {
        try VaultBackend(at: vault, unlockedBy: .passphrase("open sesame", logRounds: 4))
      }
      #expect(damaged?.code == .corrupted)
    }
  }

  @Test
  func `VaultBackends opened concurrently at one URL create one key file and one vault`()
    throws
  {
    for _ in 0..<10 {
      try withTemporaryDirectory { directory in
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { instance in
          do {
            try Self.open(directory).apply([.set("token/\(instance)", Data())])
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }

        #expect(failures.withLock { $0 } == [])
        let names = try Self.open(directory).keys(withPrefix: "")
        #expect(names.count == 8)

        let keys = directory.appending(path: "keys").path
        let files = try FileManager.default.contentsOfDirectory(atPath: keys)
        #expect(files == ["vault.key"])
      }
    }
  }

  @Test func `opening a vault with a missing, wrong or short key file throws an error`() throws {
    try withTemporaryDirectory { directory in
      let key = Self.place(directory).key
      try Self.open(directory).apply([.set("token", Data("abc".utf8))])
      let sound = try Data(contentsOf: key)
      try FileManager.default.removeItem(at: key)

      #expect(#expect(throws: StorageError.self) { try Self.open(directory) }?.code == .locked)

      for bytes in [Data(count: 32), sound.dropLast(), sound + [0]] {
        try bytes.write(to: key)
        #expect(chmod(key.path, 0o600) == 0)
        #expect(#expect(throws: StorageError.self) { try Self.open(directory) }?.code == .wrongKey)
      }
      try sound.write(to: key)

      #expect(try Self.open(directory).read("token") == Data("abc".utf8))
    }
  }

  @Test func `the error for a vault or key file that other users can access suggests chmod 600`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (vault, key) = Self.place(directory)
      _ = try Self.open(directory)
      for url in [vault, key] {
        for mode: mode_t in [0o640, 0o604, 0o660, 0o602] {
          #expect(chmod(url.path, mode) == 0)
          let error = #expect(throws: StorageError.self) { try Self.open(directory) }
          #expect(error?.code == .insecurePermissions)
          #expect(error?.message.contains("chmod 600") == true)
        }
        #expect(chmod(url.path, 0o600) == 0)
      }

      #expect(try Self.open(directory).keys(withPrefix: "") == [])
    }
  }

  @Test func `all files of a vault are accessible to the owner only, regardless of the umask`()
    throws
  {
    try withTemporaryDirectory { directory in
      let home = directory.appending(path: "home")
      let old = umask(0)
      defer { umask(old) }
      try VaultBackend(
        at: home.appending(path: "vault"), unlockedBy: .keyFile(home.appending(path: "key"))
      ).apply([.set("token", Data("abc".utf8))])
      for name in try FileManager.default.contentsOfDirectory(atPath: home.path) + ["."] {
        var status = stat()
        #expect(stat(home.appending(path: name).path, &status) == 0)
        #expect(status.st_mode & 0o077 == 0, "\(name)")
      }
    }
  }

  @Test func `names and values of secrets do not occur in plain text in any file of a vault`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Self.open(directory)
      try vault.apply([.set("bank/account", Data("correct horse battery staple".utf8))])
      try vault.apply([.set("bank/account", Data("another phrase of four words".utf8))])
      try vault.rekey(to: .keyFile(Self.place(directory).key))
      let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
      var count = 0
      for case let file as URL in try #require(files) {
        guard let bytes = try? Data(contentsOf: file) else { continue }
        count += 1
        for text in ["bank", "account", "horse", "phrase"] {
          #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(file.lastPathComponent)")
        }
      }

      #expect(count >= 2)
    }
  }

  @Test func `values of nearly the same size produce vault files of the same size`() throws {
    let sizes = try [30, 31, 90].map { count in
      try withTemporaryDirectory { directory in
        try Self.open(directory).apply([.set("token", Data(count: count))])
        return try Data(contentsOf: Self.place(directory).vault).count
      }
    }
    #expect(Set(sizes).count == 1)
  }

  @Test func `a key added to a vault opens the vault`() throws {
    try withTemporaryDirectory { directory in
      let vault = try Self.open(directory)
      try vault.apply([.set("token", Data("abc".utf8))])
      try vault.add(.passphrase("open sesame", logRounds: 4))
      let second = try VaultBackend(
        at: Self.place(directory).vault, unlockedBy: .passphrase("open sesame", logRounds: 4))
      #expect(try second.read("token") == Data("abc".utf8))

      try second.apply([.set("token", Data("def".utf8))])
      #expect(try vault.read("token") == Data("def".utf8))
    }
  }

  @Test func `after rekeying, the old key does not open the vault`() throws {
    try withTemporaryDirectory { directory in
      let url = Self.place(directory).vault
      let old = try VaultBackend(at: url, unlockedBy: .passphrase("old", logRounds: 4))
      try old.apply([.set("token", Data("abc".utf8))])
      let other = try VaultBackend(at: url, unlockedBy: .passphrase("old", logRounds: 4))
      try old.rekey(to: .passphrase("new", logRounds: 4))
      #expect(try old.read("token") == Data("abc".utf8))

      try old.apply([.set("card", Data("def".utf8))])
      #expect(#expect(throws: StorageError.self) { try other.read("token") }?.code == .wrongKey)

      let new = try VaultBackend(at: url, unlockedBy: .passphrase("new", logRounds: 4))
      #expect(try new.read("token") == Data("abc".utf8))
      #expect(try new.read("card") == Data("def".utf8))
    }
  }

  @Test func `a vault file does not grow without limit when a secret is overwritten repeatedly`()
    throws
  {
    try withTemporaryDirectory { directory in
      let vault = try Self.open(directory)
      for round in 0..<300 {
        try vault.apply([.set("token", Data(repeating: UInt8(round % 256), count: 900))])
      }

      #expect(try Data(contentsOf: Self.place(directory).vault).count < 80_000)
      #expect(try Self.open(directory).read("token") == Data(repeating: 43, count: 900))
    }
  }

  @Test func `concurrent writes of two VaultBackends to one vault are all stored`() throws {
    try withTemporaryDirectory { directory in
      let desks = try (0..<2).map { _ in try Self.open(directory) }
      DispatchQueue.concurrentPerform(iterations: 2) { desk in
        for loan in 0..<100 { try? desks[desk].apply([.set("desk\(desk)/\(loan)", Data())]) }
      }

      #expect(try desks[0].keys(withPrefix: "desk").count == 200)
      #expect(try desks[1].keys(withPrefix: "desk").count == 200)
      #expect(desks[0].externalChangeCount() > 0)
    }
  }

  @Test func `an open vault reads its file again after the file was overwritten in place`() throws {
    try withTemporaryDirectory { directory in
      let (url, _) = Self.place(directory)
      let desk = try Self.open(directory)
      let empty = try Data(contentsOf: url)
      try desk.apply([.set("token", Data("abc".utf8))])
      let file = try FileHandle(forWritingTo: url)
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: empty)
      try file.close()
      try Self.open(directory).apply([.set("other", Data("def".utf8))])

      #expect(try desk.read("other") == Data("def".utf8))

      try desk.apply([.set("third", Data("ghi".utf8))])
      #expect(try Self.open(directory).keys(withPrefix: "") == ["other", "third"])
    }
  }

  @Test
  func
    `opening a locked vault with a wrong key reports the wrong key without waiting for the lock`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = Self.place(directory).vault
      _ = try VaultBackend(at: url, unlockedBy: .passphrase("open sesame", logRounds: 4))
      let lock = try FileLock(at: url.path + ".lock")
      try lock.lock(timeout: .zero)
      for (text, code) in [("open barley", StorageError.Code.wrongKey), ("open sesame", .locked)] {
        let error = #expect(throws: StorageError.self) {
          try VaultBackend(
            at: url, unlockedBy: .passphrase(text, logRounds: 4), lockTimeout: .zero)
        }
        #expect(error?.code == code)
      }
    }
  }

  @Test func `an empty passphrase is refused`() throws {
    try withTemporaryDirectory { directory in
      let url = Self.place(directory).vault
      let made = #expect(throws: StorageError.self) {
        try VaultBackend(at: url, unlockedBy: .passphrase("", logRounds: 4))
      }
      #expect(made?.code == .misuse)
      #expect(!FileManager.default.fileExists(atPath: url.path))

      let vault = try Self.open(directory)
      let added = #expect(throws: StorageError.self) {
        try vault.add(.passphrase("", logRounds: 4))
      }
      #expect(added?.code == .misuse)
    }
  }

  @Test
  func `a key file that contains no key is reported as a wrong key regardless of its permissions`()
    throws
  {
    try withTemporaryDirectory { directory in
      _ = try Self.open(directory)
      let list = directory.appending(path: "readers.txt")
      try Data("Ada Lovelace\n".utf8).write(to: list)
      #expect(chmod(list.path, 0o644) == 0)

      let error = #expect(throws: StorageError.self) {
        try VaultBackend(at: Self.place(directory).vault, unlockedBy: .keyFile(list))
      }
      #expect(error?.code == .wrongKey)
      #expect(error?.message.contains("chmod") == false)
    }
  }

  @Test func `an inspector reads values that are written, replaced and removed after a read`()
    throws
  {
    try withTemporaryDirectory { directory in
      let backend = try Self.open(directory)
      try backend.apply([.set("token", Data("abc".utf8))])
      let (url, key) = Self.place(directory)
      let inspector = try StoreInspectorFactory.vault.open(url, .init(keyFile: key))

      let first = try inspector.bytes(of: "token")
      try backend.apply([.set("pin", Data("123".utf8))])
      let appended = try inspector.bytes(of: "pin")
      // The file is small, so that obsolete records cause a rewrite.
      try backend.apply([.set("token", Data("xyz".utf8)), .remove("pin")])
      let replaced = try inspector.bytes(of: "token")
      let removed = try inspector.bytes(of: "pin")

      #expect(first == Data("abc".utf8))
      #expect(appended == Data("123".utf8))
      #expect(replaced == Data("xyz".utf8))
      #expect(removed == nil)
    }
  }

  @Test func `an inspector reads a vault that was truncated after a read`() throws {
    try withTemporaryDirectory { directory in
      let (url, key) = Self.place(directory)
      try Self.open(directory).apply([.set("token", Data("abc".utf8))])
      let backup = try Data(contentsOf: url)
      try Self.open(directory).apply([.set("pin", Data("123".utf8))])
      let inspector = try StoreInspectorFactory.vault.open(url, .init(keyFile: key))

      let before = try inspector.bytes(of: "pin")
      #expect(truncate(url.path, off_t(backup.count)) == 0)
      let truncated = try inspector.bytes(of: "pin")
      let token = try inspector.bytes(of: "token")

      #expect(before == Data("123".utf8))
      #expect(truncated == nil)
      #expect(token == Data("abc".utf8))
    }
  }

  @Test func `an inspector without a key shows how the vault is unlocked, but no entries`() throws {
    try withTemporaryDirectory { directory in
      try Self.open(directory).apply([.set("token", Data("abc".utf8))])
      let (url, _) = Self.place(directory)
      #expect(StoreInspectorFactory.vault.recognises(url))

      let vault = try StoreInspectorFactory.vault.open(url, .init())
      let report = try vault.inspect()
      #expect(report.isConfidential)
      #expect(report.entryCount == nil)
      #expect(report.facts.first?.text == "key file")
      #expect(
        #expect(throws: StorageError.self) { try vault.entries(withPrefix: "") }?.code == .locked)
    }
  }
}
