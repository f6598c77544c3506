#if SyncServer
  import Dispatch
  import Foundation
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite struct AccountUsageTests {
    /// A push of most of the bytes that are allowed to the account.
    private let push = UsedScopes(
      [Branch.scope], .push, bytes: 900,
      by: Account(name: "north", rules: [ScopeRule("*")], tokenIdentifier: "t1"))

    private let limits: ServerLimits = {
      var limits = ServerLimits()
      limits.bytesPerAccount = 1_000
      return limits
    }()

    @Test func `bytes that cannot be stored are stored by the next refresh`() throws {
      let store = SwitchableStore(InMemorySyncStore())
      let tokens = try TokenStore(in: store)
      let server = SyncServer(store: store, access: { _, _ in .readWrite })
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

    @Test func `bytes that are stored while their scope is measured are counted once`() throws {
      let store = InterruptedStore()
      let tokens = try TokenStore(in: store)
      let server = SyncServer(store: store, access: { _, _ in .readWrite })
      let usage = try AccountUsage(tokens, limits)
      try usage.admit(push, on: server)
      let ended = DispatchSemaphore(value: 0)
      store.beforeNextWrite {
        Thread.detachNewThread {
          // If this fails, the bytes stay stored.
          try? usage.measure(Branch.scope, on: server)
          ended.signal()
        }
        // Without mutual exclusion, this time suffices to replace the stored bytes.
        Thread.sleep(forTimeInterval: 0.2)
      }

      try usage.refresh()

      #expect(ended.wait(timeout: .hangLimit) == .success)
      // Another process reads what is stored, which are no bytes, because the scope has no rows.
      try AccountUsage(tokens, limits).admit(push, on: server)
    }
  }
#endif
