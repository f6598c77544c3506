import Foundation
import Synchronization
import TestSupport
import Testing
import UndercroftCore
import UndercroftSecrets

/// Tests of vaults that are watched for the writes of other instances.
@Suite struct WatchedVaultTests {
  @Test
  func `when a watched vault's missing path reappears, the watch reports changes made meanwhile`()
    throws
  {
    try withTemporaryDirectory { directory in
      let folder = directory.appending(path: "library")
      let link = directory.appending(path: "branch")
      let key = VaultKey.passphrase("open sesame", logRounds: 4)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try #require(symlink("library", link.path) == 0)
      let reader = try VaultBackend(at: link.appending(path: "vault"), unlockedBy: key)
      let writer = try VaultBackend(at: folder.appending(path: "vault"), unlockedBy: key)
      let calls = Atomic(0)
      let watch = try reader.watchExternalChanges { calls.add(1, ordering: .relaxed) }

      try #require(unlink(link.path) == 0)
      try writer.apply([.set("token", Data("hunter2".utf8))])
      // Meanwhile the watch examines the store and does not find it.
      usleep(300_000)
      #expect(calls.load(ordering: .relaxed) == 0)
      try #require(symlink("library", link.path) == 0)

      #expect(waitUntil { calls.load(ordering: .relaxed) > 0 })
      #expect(try reader.read("token") == Data("hunter2".utf8))
      withExtendedLifetime(watch) {}
    }
  }
}
