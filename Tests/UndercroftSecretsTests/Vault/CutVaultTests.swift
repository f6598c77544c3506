import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftSecrets

/// Tests of vaults whose last batch another instance truncates during a read.
@Suite(.enabled(if: faults_are_available() != 0)) struct CutVaultTests {
  private static let key = VaultKey.passphrase("open sesame", logRounds: 4)

  private final class Cut {
    let url: URL
    let size: Int
    var isDone = false

    init(_ url: URL, to size: Int) {
      self.url = url
      self.size = size
    }
  }

  /// A refresh reads the end of the last known batch and the new batch, and then the value is read.
  @Test(arguments: [Int32(2), 3])
  func `a read reports no damage if the vault file is truncated within a batch during the read`(
    beforeRead number: Int32
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.key)
      try vault.apply([.set("token", Data("hunter2".utf8))])
      let reader = try VaultBackend(at: url, unlockedBy: Self.key)
      let end = try Data(contentsOf: url).count
      try vault.apply([.set("card", Data("4111".utf8))])

      // What the writer of a batch leaves whose flush failed.
      let cut = Cut(url, to: end + 1)
      faults_before_read(
        number,
        { context in
          guard let context else { return }
          let cut = Unmanaged<Cut>.fromOpaque(context).takeUnretainedValue()
          cut.isDone = truncate(cut.url.path, off_t(cut.size)) == 0
        }, Unmanaged.passUnretained(cut).toOpaque())
      let card = try withExtendedLifetime(cut) { try reader.read("card") }

      #expect(cut.isDone)
      #expect(card == nil)
      #expect(try reader.read("token") == Data("hunter2".utf8))
    }
  }

  @Test
  func `a read fails with the code corrupted if a byte of a complete vault batch was changed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "vault")
      let vault = try VaultBackend(at: url, unlockedBy: Self.key)
      let reader = try VaultBackend(at: url, unlockedBy: Self.key)
      let end = try Data(contentsOf: url).count
      try vault.apply([.set("card", Data("4111".utf8))])
      var bytes = try Data(contentsOf: url)
      bytes[end + 40] ^= 1
      let file = try FileHandle(forWritingTo: url)
      try file.write(contentsOf: bytes)
      try file.close()

      let error = #expect(throws: StorageError.self) { try reader.read("card") }

      #expect(error?.code == .corrupted)
      #expect(error?.key == "card")
    }
  }
}
