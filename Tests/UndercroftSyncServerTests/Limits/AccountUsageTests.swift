#if SyncServer
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite struct AccountUsageTests {
    @Test func `bytes that cannot be stored are stored by the next refresh`() throws {
      let store = SwitchableStore(InMemorySyncStore())
      let tokens = try TokenStore(in: store)
      let server = SyncServer(store: store, access: { _, _ in .readWrite })
      var limits = ServerLimits()
      limits.bytesPerAccount = 1_000
      let account = Account(name: "north", rules: [ScopeRule("*")], tokenIdentifier: "t1")
      let push = UsedScopes([Branch.scope], .push, bytes: 900, by: account)
      let usage = try AccountUsage(tokens, limits)
      try usage.admit(push, on: server)

      store.fail(StorageError(.unavailable, "cannot write: the store is locked"))
      #expect(throws: StorageError.self) { try usage.refresh() }
      store.recover()
      try usage.refresh()

      // Another process reads what is stored.
      let later = try AccountUsage(tokens, limits)
      let problem = #expect(throws: (any Error).self) { try later.admit(push, on: server) }
      #expect("\(try #require(problem))".contains("quotaExceeded"))
    }
  }
#endif
