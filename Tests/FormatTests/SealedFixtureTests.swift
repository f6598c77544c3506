import FixtureLibrary
import Foundation
import Testing
import Undercroft

/// Tests of vaults and encrypted stores that earlier versions wrote.
@Suite struct SealedFixtureTests {
  @Test(arguments: try Fixture.all("vault-key-file"))
  func `a vault of an earlier release opens with its key file and accepts a new value`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let (url, key) = (folder.appending(path: "vault"), folder.appending(path: "library.key"))
      let page = try VaultPage(reading: Data(contentsOf: url), key: FixtureSecrets.keyBytes)

      try expect(
        KeyedValues.afterSecond,
        andOneMoreIn: { try VaultBackend(at: url, unlockedBy: .keyFile(key)) })

      let after = try VaultPage(reading: Data(contentsOf: url), key: FixtureSecrets.keyBytes)
      #expect(after.epoch == page.epoch)
      #expect(after.records.count == page.records.count + 1)
      #expect(Array(after.records.prefix(page.records.count)) == page.records)
    }
  }

  @Test(arguments: try Fixture.all("vault-passphrase"), ["oﬃce hours", "office hours", nil])
  func `either the passphrase or an added key file opens a vault of an earlier release`(
    fixture: Fixture, passphrase: String?
  ) throws {
    try fixture.withCopy { folder in
      let url = folder.appending(path: "vault")
      let key: VaultKey =
        passphrase.map { .passphrase($0, logRounds: 4) }
        ?? .keyFile(folder.appending(path: "library.key"))

      try expect(
        KeyedValues.afterSecond, andOneMoreIn: { try VaultBackend(at: url, unlockedBy: key) })
    }
  }

  @Test(arguments: try Fixture.all("vault-torn"))
  func `opening a vault of an earlier release discards an unfinished last batch of changes`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let (url, key) = (folder.appending(path: "vault"), folder.appending(path: "library.key"))

      try expect(
        KeyedValues.afterFirst,
        andOneMoreIn: { try VaultBackend(at: url, unlockedBy: .keyFile(key)) })

      #expect(try names(in: folder) == ["library.key", "vault", "vault.lock"])
    }
  }

  @Test(arguments: try Fixture.all("encrypted-files"))
  func `an encrypted store of an earlier release opens with the key file and accepts a new value`(
    fixture: Fixture
  )
    throws
  {
    try fixture.withCopy { folder in
      let key = EncryptionKey.keyFile(folder.appending(path: "library.key"))
      let open = {
        try EncryptedBackend(FileBackend(in: folder.appending(path: "files")), key: key)
      }

      try expect(KeyedValues.afterSecond, andOneMoreIn: open)
    }
  }
}
