import Testing
import UndercroftSync

@Suite struct SyncServerStoreTests {
  @Test(arguments: SyncStoreConformance.all, TestStore.allCases)
  func `a store gives the guarantee`(check: SyncStoreConformance, kind: TestStore) throws {
    try kind.withStore { store in
      #expect(throws: Never.self) { try check.run(store) }
    }
  }
}
