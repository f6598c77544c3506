import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSecrets

/// Tests of the slots of a vault, and of changing its keys.
@Suite struct VaultKeysTests {
  private static let passphrase = VaultKey.passphrase("open sesame", logRounds: 4)
  private static let spare = VaultKey.passphrase("open barley", logRounds: 5)

  /// A vault with a secret of a library, which a passphrase opens.
  private struct Fixture {
    let url: URL
    let keyFile: VaultKey
    let vault: VaultBackend

    init(_ directory: URL) throws {
      url = directory.appending(path: "vault")
      keyFile = .keyFile(directory.appending(path: "vault.key"))
      vault = try VaultBackend(at: url, unlockedBy: VaultKeysTests.passphrase)
      try vault.apply([.set("card", Data("4111".utf8)), .set("pin", Data("1234".utf8))])
    }

    func open(_ key: VaultKey) throws -> VaultBackend {
      try VaultBackend(at: url, unlockedBy: key, createsMissing: false)
    }

    /// Returns the error of opening the vault with a key.
    func refusal(of key: VaultKey) -> StorageError.Code? {
      #expect(throws: StorageError.self) { try open(key) }?.code
    }

    /// Whether the vault opens with a key and contains both secrets.
    func isWhole(_ key: VaultKey) -> Bool {
      guard let opened = try? open(key) else { return false }
      return (try? opened.read("card")) == Data("4111".utf8)
        && (try? opened.read("pin")) == Data("1234".utf8)
    }
  }

  @Test func `the slots have kinds and costs, and show which of them the key opens`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      try fixture.vault.add(fixture.keyFile)
      try fixture.vault.add(Self.spare)

      let slots = try fixture.vault.slots()
      let others = try fixture.open(fixture.keyFile).slots()

      #expect(slots.map(\.number) == [1, 2, 3])
      #expect(slots.map(\.kind) == [.passphrase, .keyFile, .passphrase])
      #expect(slots.map(\.cost?.logRounds) == [4, nil, 5])
      #expect(slots.map(\.cost?.byteCount) == [128 * 16 * 8, nil, 128 * 32 * 8])
      #expect(slots.map(\.isOpened) == [true, false, false])
      #expect(others.map(\.isOpened) == [false, true, false])
    }
  }

  @Test func `a tool adds all of several keys or none`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      try fixture.vault.add(fixture.keyFile)
      let functions = try #require(StoreInspectorFactory.vault.vault)
      let added = InspectionCredentials(
        keyFile: directory.appending(path: "spare.key"), passphrase: { "" })

      let error = #expect(throws: StorageError.self) {
        try functions.change(
          fixture.url, InspectionCredentials(keyFile: directory.appending(path: "vault.key")),
          .init(.add(added)))
      }

      #expect(error?.code == .misuse)
      #expect(try fixture.vault.slots().count == 2)
    }
  }

  @Test func `a removed key no longer opens the vault, and the other keys do`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      try fixture.vault.add(fixture.keyFile)
      try fixture.vault.add(Self.spare)

      try fixture.vault.remove(try #require(try fixture.vault.slots().last))

      #expect(fixture.refusal(of: Self.spare) == .wrongKey)
      #expect(fixture.isWhole(Self.passphrase))
      #expect(fixture.isWhole(fixture.keyFile))
      #expect(try fixture.vault.slots().count == 2)
    }
  }

  @Test func `the last slot cannot be removed`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      let slot = try #require(try fixture.vault.slots().first)
      let before = try Data(contentsOf: fixture.url)

      let error = #expect(throws: StorageError.self) {
        try fixture.vault.remove(slot, allowsLosingAccess: true)
      }

      #expect(error?.code == .misuse)
      #expect(try Data(contentsOf: fixture.url) == before)
    }
  }

  @Test func `the slot of the key that opened the vault is removed only on request`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      try fixture.vault.add(Self.spare)
      let own = try #require(try fixture.vault.slots().first)

      let error = #expect(throws: StorageError.self) { try fixture.vault.remove(own) }
      #expect(error?.code == .misuse)
      #expect(fixture.isWhole(Self.passphrase))

      try fixture.vault.remove(own, allowsLosingAccess: true)
      let later = #expect(throws: StorageError.self) { try fixture.vault.read("card") }

      #expect(later?.code == .wrongKey)
      #expect(fixture.isWhole(Self.spare))
    }
  }

  @Test func `a slot that another instance has removed is unavailable`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      try fixture.vault.add(fixture.keyFile)
      try fixture.vault.add(Self.spare)
      let slots = try fixture.vault.slots()
      try fixture.open(Self.passphrase).remove(slots[1])

      let error = #expect(throws: StorageError.self) { try fixture.vault.remove(slots[1]) }

      #expect(error?.code == .unavailable)
      // The passphrase has the number of the removed slot now.
      #expect(fixture.isWhole(Self.spare))
    }
  }

  @Test func `rekeying to several keys lets each of them open the vault`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)

      try fixture.vault.rekey(to: [fixture.keyFile, Self.spare])

      #expect(fixture.isWhole(fixture.keyFile))
      #expect(fixture.isWhole(Self.spare))
      #expect(fixture.refusal(of: Self.passphrase) == .wrongKey)
    }
  }

  @Test func `rekeying to no key is refused, and the vault remains as it was`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)

      let error = #expect(throws: StorageError.self) { try fixture.vault.rekey(to: []) }

      #expect(error?.code == .misuse)
      #expect(fixture.isWhole(Self.passphrase))
      try fixture.vault.apply([.set("fee", Data())])
      #expect(try fixture.open(Self.passphrase).read("fee") == Data())
    }
  }

  @Test func `an instance whose key is among the new keys continues after rekeying`() throws {
    try withTemporaryDirectory { directory in
      let fixture = try Fixture(directory)
      let other = try fixture.open(Self.passphrase)

      try fixture.vault.rekey(to: [Self.spare, Self.passphrase])

      #expect(try other.read("card") == Data("4111".utf8))
      try other.apply([.set("fee", Data("2".utf8))])
      #expect(try fixture.vault.read("fee") == Data("2".utf8))
    }
  }

  @Test func `a missing vault is not created if the caller forbids it`() throws {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "secrets")

      let error = #expect(throws: StorageError.self) {
        try VaultBackend(
          at: folder.appending(path: "vault"), unlockedBy: Self.passphrase, createsMissing: false)
      }

      #expect(error?.code == .unavailable)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }

  enum Change: CaseIterable, Sendable { case add, remove, rekey }

  /// If a call fails, all later calls fail as well, as after a kill between two calls.
  @Test(.enabled(if: faults_are_available() != 0), .heavy, arguments: Change.allCases)
  func `a change of the keys that ends at any call leaves the old or the new vault whole`(
    change: Change
  ) throws {
    for first in Int32(1)...100 {
      let isOver = try withTemporaryDirectory { directory in
        let fixture = try Fixture(directory)
        if change == .remove { try fixture.vault.add(Self.spare) }
        let slot = try #require(try fixture.vault.slots().last)

        faults_arm(Int32(FAULTS_ALL.rawValue), first, 100_000, EIO)
        let result = Result {
          switch change {
          case .add: try fixture.vault.add(Self.spare)
          case .remove: try fixture.vault.remove(slot)
          case .rekey: try fixture.vault.rekey(to: [Self.spare])
          }
        }
        let calls = faults_disarm()

        let isOld = fixture.isWhole(Self.passphrase)
        let isNew = fixture.isWhole(Self.spare)
        switch (change, try? result.get()) {
        case (.add, .some): #expect(isOld && isNew, "call \(first)")
        case (.add, nil): #expect(isOld, "call \(first)")
        case (.remove, .some): #expect(isOld && !isNew, "call \(first)")
        case (.remove, nil): #expect(isOld, "call \(first)")
        case (.rekey, .some): #expect(!isOld && isNew, "call \(first)")
        case (.rekey, nil): #expect(isOld != isNew, "call \(first)")
        }
        return calls < first
      }
      if isOver { return }
    }
    Issue.record("a change of the keys made more than 100 system calls")
  }
}
