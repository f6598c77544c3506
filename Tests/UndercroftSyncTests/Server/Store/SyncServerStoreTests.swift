import Testing
import UndercroftSync
import UndercroftSyncTesting

@Suite struct SyncServerStoreTests {
  @Test(arguments: SyncStoreConformance.checks, TestStore.allCases)
  func `every kind of server store passes each conformance check`(
    check: SyncStoreConformance, kind: TestStore
  ) throws {
    try kind.withStore { store in
      #expect(throws: Never.self) { try check.run(on: store) }
    }
  }
}
