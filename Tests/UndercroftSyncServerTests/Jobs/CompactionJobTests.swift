#if SyncServer
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftSync
  import UndercroftSyncServer

  @Suite(.timeLimit(.hangLimit)) struct CompactionJobTests {
    @Test func `old tombstones are removed at regular times`() async throws {
      var options = ServerOptions()
      options.compaction = ServerOptions.CompactionSchedule(
        retention: SyncRetention(minimum: 0, maximum: 0), seconds: 0.02)
      try await TestServer.run(options: options) { server in
        var branch = try Branch("north", on: server.sync)
        _ = try server.sync.push(branch.seal("Dune"), account: "north")
        _ = try server.sync.push(branch.seal(.delete), account: "north")

        let isCompacted = try await eventually {
          try server.store.read(in: branch.scope) { try $0.scope()?.floor ?? 0 } >= 1
        }

        #expect(isCompacted)
      }
    }
  }
#endif
