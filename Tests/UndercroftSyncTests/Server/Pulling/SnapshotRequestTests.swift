import Testing
import UndercroftCore
import UndercroftSync

/// Tests of pulls from cursors below the compacted version, and of snapshots during a compaction.
@Suite struct SnapshotRequestTests {
  private let server: SyncServer
  private let ann: Device

  /// Creates a server that is compacted up to the version 3.
  ///
  /// It has four rows with the versions 1 to 4. The deletion of the second row has the version 5.
  init() throws {
    server = SyncServer(store: InMemorySyncStore(), environment: TestClock().environment)
    var ann = try Device("ann", on: server)
    for number in 1...4 { try ann.send(.insert([:]), on: DataIdentifier("b\(number)")) }
    try ann.send(.delete, on: "b2", knowing: AuthorKnowledge(base: 2, seen: 2, baseCursor: 4))
    self.ann = ann
    try server.compact(Device.scope, through: 3)
  }

  private func isReset(_ request: PullRequest) throws -> Bool {
    guard case .refused(.reset(let reason, let epoch)) = try ann.pull(request) else {
      return false
    }
    return reason == .floor && epoch == request.epoch
  }

  @Test
  func `the server requires a snapshot if the cursor of a pull is below the compacted version`()
    throws
  {
    #expect(try isReset(ann.request(after: 2)))
    #expect(try isReset(ann.request(after: 0)))
    #expect(try !isReset(ann.request(after: 3)))
  }

  @Test
  func `a snapshot pull from the cursor 0 is accepted regardless of earlier compactions`()
    throws
  {
    #expect(try !isReset(ann.request(after: 0, mode: .snapshot)))
    #expect(try !isReset(ann.request(after: 0, mode: .snapshot, snapshotFloor: 1)))
  }

  @Test func `a snapshot pull continues if the scope was not compacted after the snapshot began`()
    throws
  {
    #expect(try !isReset(ann.request(after: 1, mode: .snapshot, snapshotFloor: 3)))
  }

  @Test
  func `a snapshot pull must begin again if the scope was meanwhile compacted beyond the cursor`()
    throws
  {
    #expect(try isReset(ann.request(after: 1, mode: .snapshot, snapshotFloor: 2)))
    #expect(try isReset(ann.request(after: 1, mode: .snapshot)))
  }

  @Test
  func `a snapshot pull continues after a compaction that is not beyond the cursor of the pull`()
    throws
  {
    #expect(try !isReset(ann.request(after: 3, mode: .snapshot, snapshotFloor: 2)))
  }
}
