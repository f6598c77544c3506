import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftSecrets

/// Tests of vaults whose system calls fail.
@Suite(.enabled(if: faults_are_available() != 0)) struct FailingCallTests {
  private static let old = VaultKey.passphrase("open sesame", logRounds: 4)
  private static let new = VaultKey.passphrase("open barley", logRounds: 4)
  private static let flushes = Int32(FAULTS_SYNC.rawValue)

  /// Runs `body` while the flush with this number fails, and returns the number of flushes.
  private static func failing(_ number: Int32, _ body: () throws -> Void) rethrows -> Int32 {
    faults_arm(flushes, number, 1, EIO)
    defer { _ = faults_disarm() }
    try body()
    return faults_disarm()
  }

  @Test
  func `if flushing a vault folder fails, the next write of each VaultBackend flushes the folder`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      let other = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])
      // The batch, the file without the old value, and the folder are flushed.
      let calls = try Self.failing(3) { try vault.apply([.set("token", Data("hunter3".utf8))]) }
      #expect(calls == 3)

      for writer in [vault, other] {
        #expect(throws: StorageError.self) {
          _ = try Self.failing(1) { try writer.apply([.set("card", Data())]) }
        }
        let first = try Self.failing(1_000) {
          try writer.apply([.set(UUID().uuidString, Data("4111".utf8))])
        }
        let second = try Self.failing(1_000) {
          try writer.apply([.set(UUID().uuidString, Data("4111".utf8))])
        }

        #expect([first, second] == [2, 1])
      }
      #expect(try VaultBackend(at: url, unlockedBy: Self.old).keys(withPrefix: "").count == 5)
    }
  }

  @Test(arguments: [
    (ENOSPC, StorageError.Code.full, "no space left on device; free disk space, and "),
    (EACCES, StorageError.Code.accessDenied, "permission denied; check the owner and mode of "),
  ])
  func `a change is stored, and the reason is reported, if the old value cannot be erased`(
    error: Int32, code: StorageError.Code, reason: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])
      let issues = EventCollector<StorageError>()

      // Only the file without the old value is renamed.
      faults_arm(Int32(FAULTS_RENAME.rawValue), 1, 2, error)
      let opened = try StorageError.$issueReceiver.withValue(IssueReceiver { issues.append($0) }) {
        try vault.apply([.set("token", Data("hunter3".utf8))])
        return try VaultBackend(at: url, unlockedBy: Self.old)
      }
      let calls = faults_disarm()

      // The reports of the change and of the opening are equal.
      let start = """
        cannot erase replaced and removed values from "\(url.path)", in which every successful \
        change is stored: \(reason)
        """
      #expect(calls == 2)
      #expect(issues.events.map(\.code) == [code, code])
      #expect(issues.events.map(\.backend) == ["vault", "vault"])
      #expect(issues.events.allSatisfy { $0.message.hasPrefix(start) }, "\(issues.events)")
      #expect(issues.events.first?.message == issues.events.last?.message)
      #expect(try opened.read("token") == Data("hunter3".utf8))
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `after a failed batch, the next write replaces the vault file instead of appending to it`(
    isFull: Bool, isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      let other = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])
      #expect(try other.read("token") != nil)
      let old = try FileHandle(forReadingFrom: url)
      defer { try? old.close() }

      let calls = isFull ? Int32(FAULTS_WRITE.rawValue) : Self.flushes
      faults_arm(calls, 1, 1_000, isFull ? -ENOSPC : EIO)
      let failure = #expect(throws: StorageError.self) {
        try vault.apply([.set("x", Data(count: 9_000))])
      }
      _ = faults_disarm()
      let left = try old.readToEnd()
      #expect(failure?.code == (isFull ? .full : .io))
      try (isByOther ? other : vault).apply([.set("card", Data("4111".utf8))])

      try old.seek(toOffset: 0)
      #expect(try old.readToEnd() == left)
      #expect(
        try VaultBackend(at: url, unlockedBy: Self.old).keys(withPrefix: "") == ["card", "token"])
    }
  }

  @Test(arguments: [false, true])
  func `the next write replaces the vault file if truncation cannot remove a failed batch`(
    isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      let other = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])
      let old = try FileHandle(forReadingFrom: url)
      defer { try? old.close() }

      faults_arm(Self.flushes | Int32(FAULTS_TRUNCATE.rawValue), 1, 1_000, EIO)
      #expect(throws: StorageError.self) {
        try vault.apply([.set("card", Data("4111".utf8))])
      }
      _ = faults_disarm()
      let left = try old.readToEnd()
      try (isByOther ? other : vault).apply([.set("pin", Data("1234".utf8))])

      try old.seek(toOffset: 0)
      #expect(try old.readToEnd() == left)
      let names = try VaultBackend(at: url, unlockedBy: Self.old).keys(withPrefix: "")
      #expect(names.contains("pin") && names.contains("token"))
    }
  }

  /// The flush, the truncation and the mark fail, and with 1,000 failures every later call as well.
  @Test(arguments: [Int32(3), 1_000])
  func `the next write replaces the vault file if a failed batch cannot be removed or invalidated`(
    failures: Int32
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      let other = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])
      let old = try FileHandle(forReadingFrom: url)
      defer { try? old.close() }

      let calls = Self.flushes | Int32(FAULTS_TRUNCATE.rawValue) | Int32(FAULTS_WRITE.rawValue)

      faults_arm(calls, 2, failures, EIO)
      #expect(throws: StorageError.self) {
        try vault.apply([.set("card", Data("4111".utf8))])
      }
      _ = faults_disarm()

      let left = try old.readToEnd()
      // If no call succeeds, the batch is complete in the file and cannot be recognized as refused.
      let isRefusedForAll = failures == 3

      #expect(try (other.read("card") == nil) == isRefusedForAll)
      #expect(try (vault.read("card") == nil) == isRefusedForAll)
      try vault.apply([.set("pin", Data("1234".utf8))])

      try old.seek(toOffset: 0)
      #expect(try old.readToEnd() == left)
      let names = try VaultBackend(at: url, unlockedBy: Self.old).keys(withPrefix: "")
      #expect(names == (isRefusedForAll ? ["pin", "token"] : ["card", "pin", "token"]))
    }
  }

  @Test(.heavy, arguments: [ENOSPC, EDQUOT, -ENOSPC])
  func `a write to a full disk fails with the code full, and later writes succeed`(error: Int32)
    throws
  {
    for first in Int32(1)...50 {
      let isOver = try withTemporaryDirectory { directory in
        let url = directory.appending(path: "vault")
        let vault = try VaultBackend(at: url, unlockedBy: Self.old)
        try vault.apply([.set("token", Data("hunter2".utf8))])

        faults_arm(Int32(FAULTS_ALL.rawValue), first, 1_000, error)
        var failure: StorageError?
        do throws(StorageError) {
          try vault.apply([.set("card", Data("4111".utf8))])
          try vault.add(Self.new)
        } catch {
          failure = error
        }
        let calls = faults_disarm()

        if let failure {
          #expect(failure.code == .full, "call \(first)")
          #expect(failure.message.contains("free disk space"), "call \(first)")
        }
        try vault.apply([.set("pin", Data("1234".utf8))])
        let names = try VaultBackend(at: url, unlockedBy: Self.old).keys(withPrefix: "")
        #expect(names.contains("pin") && names.contains("token"), "call \(first)")
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("a batch and a change of the keys made more than 50 system calls")
  }

  @Test(arguments: [Int32(1), 2])
  func `the error of a failed rekeying states which keys are valid`(flush: Int32) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])

      let error = #expect(throws: StorageError.self) {
        _ = try Self.failing(flush) { try vault.rekey(to: Self.new) }
      }

      let isInPlace = flush == 2
      #expect(error?.message.contains("new keys") == isInPlace)
      #expect(try vault.read("token") == Data("hunter2".utf8))

      try vault.apply([.set("card", Data("4111".utf8))])
      let (holds, not) = isInPlace ? (Self.new, Self.old) : (Self.old, Self.new)

      #expect(try VaultBackend(at: url, unlockedBy: holds).keys(withPrefix: "").count == 2)

      let refusal = #expect(throws: StorageError.self) {
        try VaultBackend(at: url, unlockedBy: not)
      }
      #expect(refusal?.code == .wrongKey)
    }
  }

  @Test func `a key opens the vault even if the flush after adding the key failed`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.old)
      try vault.apply([.set("token", Data("hunter2".utf8))])

      let error = #expect(throws: StorageError.self) {
        _ = try Self.failing(2) { try vault.add(Self.new) }
      }

      #expect(error?.message.contains("new keys") == true)
      for key in [Self.old, Self.new] {
        #expect(try VaultBackend(at: url, unlockedBy: key).read("token") == Data("hunter2".utf8))
      }
    }
  }

  @Test func `creating a vault throws if a flush fails, and creating the vault again succeeds`()
    throws
  {
    for number in Int32(1)...50 {
      let isOver = try withTemporaryDirectory { directory in
        let url = directory.appending(path: "vaults/vault")
        let key = directory.appending(path: "keys/vault.key")
        _ = try VaultBackend(
          at: directory.appending(path: "other/vault"), unlockedBy: .keyFile(key))
        let open = { _ = try VaultBackend(at: url, unlockedBy: .keyFile(key)) }

        faults_arm(Self.flushes, number, 1, EIO)
        let isRefused = (try? open()) == nil
        let calls = faults_disarm()

        #expect(isRefused == (number <= calls), "flush \(number)")
        try open()
        return calls < number
      }
      if isOver { return }
    }
    Issue.record("a new vault took more than 50 flushes")
  }

  @Test func `a key file is not created until the directory entry of its folder is flushed`() throws
  {
    try withTemporaryDirectory { directory in
      let keys = directory.appending(path: "keys")
      let open = {
        let values = MemoryBackend()
        _ = try EncryptedBackend(values, key: .keyFile(keys.appending(path: "files.key")))
      }
      // As a process leaves it that is killed, or whose flush fails, after it creates the folder.
      try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: false)

      #expect(throws: StorageError.self) { _ = try Self.failing(1) { try open() } }
      let isMade = FileManager.default.fileExists(atPath: keys.path + "/files.key")
      let calls = try Self.failing(.max) { try open() }

      #expect(!isMade)
      // The name of the folder, the key, and the name of the key file.
      #expect(calls == 3)
    }
  }

  @Test(arguments: [false, true])
  func `creating a key file leaves no second copy of the key, even if no file can be removed`(
    isAdded: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vaults/vault")
      let keys = directory.appending(path: "keys")
      let key = VaultKey.keyFile(keys.appending(path: "vault.key"))
      let vault = isAdded ? try VaultBackend(at: url, unlockedBy: Self.old) : nil

      faults_arm(Int32(FAULTS_UNLINK.rawValue), 1, 1_000, EIO)
      if let vault { try vault.add(key) } else { _ = try VaultBackend(at: url, unlockedBy: key) }
      _ = faults_disarm()

      #expect(try FileManager.default.contentsOfDirectory(atPath: keys.path) == ["vault.key"])
      _ = try VaultBackend(at: url, unlockedBy: key)
    }
  }

  /// Calls `body` with a vault whose key file has a second copy, while removing files fails.
  private static func withCopyOfKey(
    removalFails error: Int32, _ body: (VaultBackend, _ copy: URL) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vaults/vault")
      let key = directory.appending(path: "keys/vault.key")
      _ = try VaultBackend(at: url, unlockedBy: .keyFile(key))
      let copy = key.deletingLastPathComponent().appending(path: ".undercroft-1.tmp")
      try FileManager.default.copyItem(at: key, to: copy)
      faults_arm(Int32(FAULTS_UNLINK.rawValue), 1, 1_000, error)
      defer { _ = faults_disarm() }
      try body(try VaultBackend(at: url, unlockedBy: .keyFile(key)), copy)
    }
  }

  @Test func `a write throws if removing a temporary copy of the key file fails with EIO`() throws {
    try Self.withCopyOfKey(removalFails: EIO) { vault, copy in
      let error = #expect(throws: StorageError.self) {
        try vault.apply([.set("card", Data("4111".utf8))])
      }
      _ = faults_disarm()

      #expect(error?.code == .io)
      #expect(FileManager.default.fileExists(atPath: copy.path))
      try vault.apply([.set("card", Data("4111".utf8))])
      #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
  }

  @Test(arguments: [EACCES, EPERM])
  func `a write succeeds even if permissions prevent removing a temporary copy of the key file`(
    error: Int32
  ) throws {
    try Self.withCopyOfKey(removalFails: error) { vault, copy in
      try vault.apply([.set("card", Data("4111".utf8))])

      #expect(FileManager.default.fileExists(atPath: copy.path))
      #expect(try vault.read("card") == Data("4111".utf8))
    }
  }

  /// Each call that opens a file fails in turn, such as for lack of descriptors.
  @Test(arguments: [EMFILE, EIO])
  func `a write removes the temporary key file copy that opening the vault failed to remove`(
    error: Int32
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vaults/vault")
      let key = directory.appending(path: "keys/vault.key")
      let copy = key.deletingLastPathComponent().appending(path: ".undercroft-1.tmp")
      _ = try VaultBackend(at: url, unlockedBy: .keyFile(key))
      var count = 0
      for first in Int32(1)...100 {
        if !FileManager.default.fileExists(atPath: copy.path) {
          try FileManager.default.copyItem(at: key, to: copy)
        }

        faults_arm(Int32(FAULTS_OPEN.rawValue), first, 1, error)
        let vault = try? VaultBackend(at: url, unlockedBy: .keyFile(key))
        let calls = faults_disarm()

        guard let vault else { continue }
        count += 1
        try vault.apply([.set("card/\(first)", Data("4111".utf8))])
        #expect(!FileManager.default.fileExists(atPath: copy.path), "open \(first)")
        if calls < first { break }
      }

      #expect(count > 1)
    }
  }

  /// Closures that open a store with an existing key file and return its backend.
  private static let keyed:
    [@Sendable (_ directory: URL, _ key: URL) throws -> any StorageBackend] =
      [
        { try VaultBackend(at: $0.appending(path: "vault"), unlockedBy: .keyFile($1)) },
        { _, key in
          try EncryptedBackend(sealed, key: .keyFile(key))
        },
      ]
  private static let sealed = MemoryBackend()

  @Test(arguments: keyed.indices)
  func `after a failed flush of the key file's folder, the next write flushes that folder first`(
    _ index: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let key = directory.appending(path: "keys/store.key")
      _ = try Self.keyed[index](directory, key)
      // The state left by a process killed while it creates the key file: a second copy of the key.
      let copy = key.deletingLastPathComponent().appending(path: ".undercroft-1.tmp")
      try FileManager.default.copyItem(at: key, to: copy)

      // The flush beside the key file is the last flush of an opening.
      faults_arm(Self.flushes, 1_000, 1, EIO)
      _ = try Self.keyed[index](directory, key)
      let last = faults_disarm()
      try FileManager.default.copyItem(at: key, to: copy)
      faults_arm(Self.flushes, last, 1, EIO)
      let store = try Self.keyed[index](directory, key)
      _ = faults_disarm()
      #expect(!FileManager.default.fileExists(atPath: copy.path))

      let error = #expect(throws: StorageError.self) {
        _ = try Self.failing(1) { try store.apply([.set("card", Data("4111".utf8))]) }
      }
      #expect(error?.code == .io)
      #expect(try store.read("card") == nil)
      // The missed flush, and afterwards only the flushes of the batches.
      let calls = try (0..<2).map { round in
        try Self.failing(1_000) { try store.apply([.set("card/\(round)", Data("4111".utf8))]) }
      }
      #expect(calls[0] == calls[1] + 1)
      #expect(try store.keys(withPrefix: "").count == 2)
    }
  }
}
