import UndercroftSync
import UndercroftSyncEncryption

/// A server of the lending library, and the encryption of the branches that synchronise with it.
struct EncryptedTown {
  let server = SyncServer.library()
  let encryption: SyncEncryption

  init() throws { encryption = try SyncEncryption([.of(1)]) }

  /// Returns a new branch that encrypts with `cipher`, or with the encryption of the town.
  func branch(_ cipher: SyncEncryption? = nil) throws -> EncryptedBranch {
    try EncryptedBranch(on: server, cipher ?? encryption)
  }
}

/// Synchronises branches, one after another.
func synchronise(_ branches: EncryptedBranch...) async throws {
  for branch in branches { try await branch.engine.sync() }
}
