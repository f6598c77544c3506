import Testing
import UndercroftSync

@Suite struct SyncServerStoreTests {
  @Test(arguments: SyncStoreConformance.all, TestStore.allCases)
  func `every kind of server store passes each conformance check`(
    check: SyncStoreConformance, kind: TestStore
  ) throws {
    try kind.withStore { store in
      #expect(throws: Never.self) { try check.run(store) }
    }
  }
}
